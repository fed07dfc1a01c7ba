/** A program that can't be created because a constant in it fails. */
export class ProgramError extends Error {}
