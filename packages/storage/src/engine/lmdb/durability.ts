/**
 * 'sync': a write is acknowledged when it is on disk. 'relaxed': when the operating system has it; it survives the end
 * of this process, but a power failure may lose the last writes, or the whole file.
 */
export type Durability = 'sync' | 'relaxed';
