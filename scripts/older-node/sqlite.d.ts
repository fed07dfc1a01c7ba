/** What `lockDatabase` uses of a module that the oldest Node lacks, and that is loaded only where it is there. */
declare module 'node:sqlite' {
  class DatabaseSync {
    constructor(file: string, options: { timeout: number });
    exec(statement: string): void;
    close(): void;
  }
}
