import js from "@eslint/js";

// What would make markup or code of a text, which names and values of other people are.
const toMarkup = ["innerHTML", "outerHTML", "insertAdjacentHTML", "srcdoc", "write", "writeln"];

export default [
  js.configs.recommended,
  {
    files: ["widc_arff/workbench/page/*.js"],
    languageOptions: { ecmaVersion: 2023, sourceType: "module" },
    rules: {
      "no-undef": "off", // tsc knows what there is
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-restricted-properties": ["error", ...toMarkup.map((property) => ({ property }))],
      "no-restricted-globals": ["error", "fetch", "XMLHttpRequest", "WebSocket", "localStorage"],
      "no-var": "error",
      "prefer-const": "error",
      eqeqeq: "error",
      "no-shadow": "error",
      "max-lines": ["error", 450],
      complexity: ["error", 30],
    },
  },
];
