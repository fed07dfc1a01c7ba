/** Whether this program is a single executable that includes Node. Bun and Deno lack this module. */
export const isSingleExecutable = (): boolean => process.getBuiltinModule('node:sea')?.isSea() ?? false;
