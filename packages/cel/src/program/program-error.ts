/** A program can't be made: a constant in it fails. */
export class ProgramError extends Error {}
