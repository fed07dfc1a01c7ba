/** Why a body is not an object of its kind. */
export class DecodeError extends Error {
  /** `syntax`: it is no JSON; `type`: a value does not fit its field. */
  readonly problem: 'syntax' | 'type';

  constructor(problem: 'syntax' | 'type', message: string) {
    super(message);
    this.problem = problem;
  }
}
