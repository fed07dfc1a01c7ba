/** The reason that a mutation failed; the policy's failurePolicy decides about the write. */
export class MutationProblem extends Error {}
