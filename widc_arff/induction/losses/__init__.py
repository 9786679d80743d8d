"""What a committee is judged by: errors of classes, wrong pairs of labels."""
