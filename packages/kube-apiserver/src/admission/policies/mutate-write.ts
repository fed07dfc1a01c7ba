/** Runs the mutating policies that are bound to a write. */
import { deepEqual, runStep, StatusError, type Clock, type KubeObject } from '@coxswain/apimachinery';
import type { AdmissionAttributes } from '@coxswain/apiserver';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { refused } from '../attributes.ts';
import type { MatchedRequest } from '../rule-matching.ts';
import { collectParams, ConfigurationProblem, noteOfParam, paramMapping } from './collect-params.ts';
import { EvaluationProblem } from './evaluate-expressions.ts';
import { matchResources } from './match-hooks.ts';
import { MutationProblem } from './mutation-problem.ts';
import { jsonValue, type PolicyInputs } from './policy-activation.ts';
import { hooksOf, mutatingPolicies, type PolicyHook } from './policy-hooks.ts';
import type { PolicyMetrics } from './policy-metrics.ts';
import { ignoresFailures, nameOf, type MutatingPolicy, type PolicyBinding } from './policy-objects.ts';
import { mutatingProgram } from './policy-program.ts';
import { PolicyRequest, type PolicyParts } from './policy-request.ts';
import { PolicyReinvocation } from './reinvocation.ts';
import { ChangingObjects, type ChangingObject } from './changing-objects.ts';
import { evaluateMutation, mutatedObject } from './write-mutation.ts';

export interface MutatingParts extends PolicyParts {
  readonly clock: Clock;
  readonly metrics: PolicyMetrics;
}

/** One policy with one of its bindings and one set of parameters. */
interface Invocation {
  readonly policy: MutatingPolicy;
  readonly binding: PolicyBinding;
  readonly matched: MatchedRequest;
  readonly param: KubeObject | undefined;
}

interface Problem {
  readonly policy: MutatingPolicy;
  readonly binding?: PolicyBinding | undefined;
  readonly message: string;
  readonly reason: string;
}

/** @throws StatusError with all errors of policies that don't ignore failures */
export async function mutateWrite(
  attributes: AdmissionAttributes,
  bindings: readonly PolicyBinding[],
  parts: MutatingParts,
): Promise<void> {
  const hooks = await hooksOf<MutatingPolicy>(bindings, mutatingPolicies, parts.objects);
  const mutating = new Mutating(new PolicyRequest(attributes, parts), parts);
  for (const hook of hooks) await mutating.collect(hook);
  await mutating.invoke();
  mutating.finish();
}

class Mutating {
  readonly #request: PolicyRequest;
  readonly #parts: MutatingParts;
  readonly #versions: ChangingObjects;
  readonly #invocations: Invocation[] = [];
  readonly #problems: Problem[] = [];

  constructor(request: PolicyRequest, parts: MutatingParts) {
    this.#request = request;
    this.#parts = parts;
    this.#versions = new ChangingObjects(request);
  }

  async collect({ policy, bindings }: PolicyHook<MutatingPolicy>): Promise<void> {
    const { attributes } = this.#request;
    const matched = await matchResources(attributes, policy.spec.matchConstraints, this.#parts);
    if (matched === undefined) return;
    if ('problem' in matched) return this.#misconfigured(policy, undefined, matched.problem);
    await this.#reporting(policy, undefined, async () => {
      const mapping = paramMapping(policy.spec.paramKind, this.#parts.mappingsOf);
      for (const binding of bindings) {
        await this.#reporting(policy, binding, async () => {
          const isBound = await matchResources(attributes, binding.spec.matchResources, this.#parts);
          if (isBound === undefined) return;
          if ('problem' in isBound) throw new ConfigurationProblem(isBound.problem);
          await this.#versions.of(matched);
          const params = await collectParams(
            mapping,
            binding.spec.paramRef,
            attributes.namespace,
            this.#parts,
          );
          for (const param of params) this.#invocations.push({ policy, binding, matched, param });
        });
      }
    });
  }

  async invoke(): Promise<void> {
    if (this.#invocations.length === 0) return;
    const { attributes } = this.#request;
    const reinvocation = PolicyReinvocation.of(attributes);
    reinvocation.begin();
    const namespaceObject = await this.#request.namespaceObject();
    let last: ChangingObject | undefined;
    for (const invocation of this.#invocations) {
      const key = keyOf(invocation);
      const version = await this.#versions.of(invocation.matched);
      const inputs = this.#inputs(invocation, version, namespaceObject);
      if (!(await this.#isWanted(invocation, inputs)) || !reinvocation.takes(key)) continue;
      last = version;
      const before = version.object;
      await runStep(
        attributes.observer,
        `policy/${nameOf(invocation.policy)}`,
        () => this.#mutate(invocation, version, inputs),
        {
          binding: nameOf(invocation.binding),
          ...noteOfParam(invocation.param),
          mutations: invocation.policy.spec.mutations,
        },
        this.#mutate,
      );
      if (!deepEqual(before, version.object)) reinvocation.noteChange();
      if (invocation.policy.spec.reinvocationPolicy === 'IfNeeded') reinvocation.noteInvoked(key);
    }
    if (last?.isChanged && last.object !== undefined) {
      reinvocation.noteChange();
      attributes.object = await this.#request.convertedBack(last.object, last.matched);
    }
    reinvocation.end();
  }

  #inputs(
    { matched, param }: Invocation,
    { object, oldObject }: ChangingObject,
    namespace: PolicyInputs['namespaceObject'],
  ): PolicyInputs {
    const write = this.#request.variables(matched, object, oldObject);
    return { write, params: jsonValue(param), namespaceObject: namespace };
  }

  async #isWanted({ policy, binding }: Invocation, inputs: PolicyInputs): Promise<boolean> {
    const { conditions } = mutatingProgram(policy);
    const variables = { ...inputs.write, params: inputs.params, namespaceObject: null };
    const result = await this.#request.authorizer.evaluated(() => conditions(variables));
    if (result.kind !== 'error') return result.kind === 'match';
    this.#problems.push({ policy, binding, message: result.message, reason: 'Invalid' });
    return false;
  }

  async #mutate(invocation: Invocation, version: ChangingObject, given: PolicyInputs): Promise<void> {
    const { policy, binding, matched } = invocation;
    const program = mutatingProgram(policy);
    const { metrics, clock } = this.#parts;
    let inputs = given;
    for (const mutation of program.mutations) {
      if (version.object === undefined) continue;
      const timer = metrics.begin();
      try {
        const now = inputs;
        const value = await this.#request.authorizer.evaluated(() =>
          evaluateMutation(mutation, program, now),
        );
        const kind = this.#request.formOf(matched)?.kind;
        const requested = this.#request.attributes.kind;
        version.change(mutatedObject(mutation, value, version.object, kind, requested, clock.now()));
        metrics.mutated(policy, binding, timer, undefined);
        inputs = this.#inputs(invocation, version, given.namespaceObject);
      } catch (failure) {
        metrics.mutated(policy, binding, timer, failure as Error);
        if (!(failure instanceof MutationProblem || failure instanceof EvaluationProblem)) throw failure;
        this.#problems.push({ policy, binding, message: failure.message, reason: 'Invalid' });
      }
    }
  }

  async #reporting(
    policy: MutatingPolicy,
    binding: PolicyBinding | undefined,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (failure) {
      if (!(failure instanceof ConfigurationProblem)) throw failure;
      this.#misconfigured(policy, binding, failure.message);
    }
  }

  #misconfigured(policy: MutatingPolicy, binding: PolicyBinding | undefined, problem: string): void {
    const what = binding === undefined ? 'policy' : 'binding';
    const message = `failed to configure ${what}: ${problem}`;
    this.#problems.push({ policy, binding, message, reason: '' });
  }

  finish(): void {
    const problems = this.#problems.filter(({ policy }) => !ignoresFailures(policy));
    const [first] = problems;
    if (first === undefined) return;
    const { details } = refused(this.#request.attributes, '').status;
    const causes = problems.map((problem) => ({ message: messageOf(problem) }));
    throw new StatusError(403, first.reason || 'Forbidden', messageOf(first), { ...details, causes });
  }
}

const keyOf = ({ policy, binding, param }: Invocation): string =>
  [nameOf(policy), nameOf(binding), param?.metadata.namespace ?? '', param?.metadata.name ?? ''].join('/');

function messageOf({ policy, binding, message }: Problem): string {
  return binding === undefined
    ? `policy ${goQuote(nameOf(policy))} denied request: ${message}`
    : `policy '${nameOf(policy)}' with binding '${nameOf(binding)}' denied request: ${message}`;
}
