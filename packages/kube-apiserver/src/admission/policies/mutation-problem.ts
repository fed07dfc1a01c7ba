/** Why a mutation can't be made: the policy's failurePolicy decides what becomes of the write. */
export class MutationProblem extends Error {}
