/** The module of a worker for `createClusterInWorker`. It exports nothing. */
// oxlint-disable-next-line unicorn/require-module-specifiers -- what makes it a module
export {};
