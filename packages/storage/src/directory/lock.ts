/** Whoever holds it may let go of it. */
export interface Held {
  release(): void;
}

/** @returns undefined where somebody else holds it */
export type Lock = (file: string) => Held | undefined;
