/** Defines the element `<coxswain-cluster>`. It exports nothing: `import 'coxswain/browser/element'`. */
// oxlint-disable-next-line unicorn/require-module-specifiers -- what makes it a module
export {};
