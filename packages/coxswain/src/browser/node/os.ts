/** `node:os` for a machine that is a page. */

export const hostname = (): string => 'coxswain';
export const homedir = (): string => '/home';
export const tmpdir = (): string => '/tmp';
export const platform = (): string => 'browser';
export const availableParallelism = (): number => 1;
export const networkInterfaces = (): object => ({});
export const constants = { signals: {}, errno: {} };
