/** The names of shells. */
const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'ash', 'dash']);

export const isShellName = (name: string): boolean => shells.has(name);
