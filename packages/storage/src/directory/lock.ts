/** A lock that its holder can release. */
export interface Held {
  release(): void;
}

/** @returns undefined when it is taken */
export type Lock = (file: string) => Held | undefined;
