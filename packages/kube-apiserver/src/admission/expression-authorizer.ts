/** The variable `authorizer` of expressions: asks the server's authorizer, whose answer may be asynchronous. */
import { withinAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import type { AuthorizationAnswer, AuthorizationQuestion } from '@coxswain/cel';
import type { AdmissionAttributes, Authorizer, Decision, UserInfo } from '@coxswain/apiserver';

/** The user that asks, its observer, and the allowance for evaluating in this thread. */
type Asker = Pick<AdmissionAttributes, 'user' | 'observer' | 'allowance'>;

/** The known answers for one request's expressions. */
export class ExpressionAuthorizer {
  readonly #authorizer: Authorizer;
  readonly #asker: Asker;
  readonly #answers = new Map<string, AuthorizationAnswer>();

  constructor(authorizer: Authorizer, asker: Asker) {
    this.#authorizer = authorizer;
    this.#asker = asker;
  }

  /** For `authorizerValue`. @throws AnswerPending when the answer is asynchronous */
  readonly ask = (question: AuthorizationQuestion): AuthorizationAnswer => {
    const key = JSON.stringify(question);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const decision = this.#decide(question);
    if (decision instanceof Promise) {
      throw new AnswerPending(decision.then((later) => void this.#answers.set(key, answerOf(later))));
    }
    const answer = answerOf(decision);
    this.#answers.set(key, answer);
    return answer;
  };

  /**
   * Returns the result of `evaluate`, which runs again after each answer that had to be awaited.
   * @throws AllowanceSpent
   */
  evaluated<T>(evaluate: () => T): T | Promise<T> {
    try {
      return withinAllowance(this.#asker.allowance, evaluate);
    } catch (pending) {
      if (!(pending instanceof AnswerPending)) throw pending;
      return pending.answered.then(() => this.evaluated(evaluate));
    }
  }

  #decide(question: AuthorizationQuestion): Decision | Promise<Decision> {
    const { serviceAccount, verb } = question;
    const { observer } = this.#asker;
    const user = serviceAccount === undefined ? this.#asker.user : serviceAccountUser(serviceAccount);
    if (question.kind === 'path') {
      return this.#authorizer.decide({ ...noResource, user, verb, path: question.path, observer });
    }
    const { group, resource, subresource, namespace, name, fieldSelector, labelSelector } = question;
    return this.#authorizer.decide({
      user,
      verb,
      namespace,
      group,
      version: '*',
      resource,
      subresource,
      name,
      isResourceRequest: true,
      path: '',
      observer,
      ...(fieldSelector !== '' && { fieldSelector }),
      ...(labelSelector !== '' && { labelSelector }),
    });
  }
}

/** Aborts an evaluation until an answer arrives. */
class AnswerPending {
  readonly answered: Promise<void>;

  constructor(answered: Promise<void>) {
    this.answered = answered;
  }
}

const noResource = {
  namespace: '',
  group: '',
  version: '',
  resource: '',
  subresource: '',
  name: '',
  isResourceRequest: false,
};

const serviceAccountUser = ({
  namespace,
  name,
}: {
  readonly namespace: string;
  readonly name: string;
}): UserInfo => ({
  name: `system:serviceaccount:${namespace}:${name}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
});

const answerOf = ({ kind, reason, problem }: Decision): AuthorizationAnswer => ({
  isAllowed: kind === 'allow',
  reason,
  ...(problem !== undefined && { error: problem }),
});
