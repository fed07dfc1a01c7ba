/** Whether this program is one executable with Node inside. Bun and Deno have no such module. */
export const isSingleExecutable = (): boolean => process.getBuiltinModule('node:sea')?.isSea() ?? false;
