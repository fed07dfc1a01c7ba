/**
 * 'sync': a write is acknowledged when the disk has it. 'relaxed': when the operating system has it; it
 * survives the end of this process, but the last writes before a power loss may be gone, or the file with
 * them.
 */
export type Durability = 'sync' | 'relaxed';
