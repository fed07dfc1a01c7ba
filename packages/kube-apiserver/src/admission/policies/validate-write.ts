/** Runs the validating policies that are bound to a write, and refuses it if one denies it. */
import { runStep, StatusError, type KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { AdmissionAttributes } from '@coxswain/apiserver';
import { refused } from '../attributes.ts';
import type { ExpressionVariables } from '../expression-variables.ts';
import { AnnotationCollector, failureAnnotation } from './audit-annotations.ts';
import { collectParams, ConfigurationProblem, noteOfParam, paramMapping } from './collect-params.ts';
import { matchResources } from './match-hooks.ts';
import { jsonValue } from './policy-activation.ts';
import { policyDecisions, type PolicyDecision, type PolicyDecisions } from './policy-decisions.ts';
import { hooksOf, validatingPolicies, type PolicyHook } from './policy-hooks.ts';
import { ignoresFailures, nameOf, type PolicyBinding, type ValidatingPolicy } from './policy-objects.ts';
import { validatingProgram } from './policy-program.ts';
import type { Enforcement, PolicyMetrics } from './policy-metrics.ts';
import { PolicyRequest, type PolicyParts } from './policy-request.ts';
import type { MatchedRequest } from '../rule-matching.ts';

export interface ValidatingParts extends PolicyParts {
  readonly metrics: PolicyMetrics;
}

interface Denial {
  readonly policy: ValidatingPolicy;
  /** Absent when the policy itself is unusable. */
  readonly binding?: PolicyBinding | undefined;
  readonly message: string;
  readonly reason: string;
}

/** @throws StatusError with the first denial */
export async function validateWrite(
  attributes: AdmissionAttributes,
  bindings: readonly PolicyBinding[],
  parts: ValidatingParts,
): Promise<void> {
  const hooks = await hooksOf<ValidatingPolicy>(bindings, validatingPolicies, parts.objects);
  const asking = new Asking(new PolicyRequest(attributes, parts), parts);
  for (const hook of hooks) await asking.ask(hook);
  asking.finish();
}

class Asking {
  readonly #request: PolicyRequest;
  readonly #parts: ValidatingParts;
  readonly #denials: Denial[] = [];

  constructor(request: PolicyRequest, parts: ValidatingParts) {
    this.#request = request;
    this.#parts = parts;
  }

  async ask({ policy, bindings }: PolicyHook<ValidatingPolicy>): Promise<void> {
    const { attributes } = this.#request;
    const matching = matchResources(attributes, policy.spec.matchConstraints, this.#parts);
    const matched = matching instanceof Promise ? await matching : matching;
    if (matched === undefined) return;
    if ('problem' in matched) return this.#misconfigured(policy, undefined, matched.problem);
    await this.#reporting(policy, undefined, async () => {
      const mapping = paramMapping(policy.spec.paramKind, this.#parts.mappingsOf);
      const annotations = new AnnotationCollector();
      for (const binding of bindings) {
        await this.#reporting(policy, binding, () =>
          this.#askBinding(policy, binding, matched, mapping, annotations),
        );
      }
      annotations.publish(nameOf(policy), attributes);
    });
  }

  async #askBinding(
    policy: ValidatingPolicy,
    binding: PolicyBinding,
    matched: MatchedRequest,
    mapping: ReturnType<typeof paramMapping>,
    annotations: AnnotationCollector,
  ): Promise<void> {
    const { attributes, authorizer } = this.#request;
    const isBound = await matchResources(attributes, binding.spec.matchResources, this.#parts);
    if (isBound === undefined) return;
    if ('problem' in isBound) throw new ConfigurationProblem(isBound.problem);
    const { paramRef } = binding.spec;
    const params = await collectParams(mapping, paramRef, attributes.namespace, this.#parts);
    if (params.length === 0) return;
    const write = await this.#variables(matched);
    const namespaceObject = await this.#request.namespaceObject();
    const program = validatingProgram(policy);
    for (const param of params) {
      const inputs = { write, namespaceObject, params: jsonValue(param) };
      const begunMs = this.#parts.metrics.begin();
      const decisions = await authorizer.evaluated(() => policyDecisions(policy, program, inputs));
      notePolicy(this.#request.attributes, policy, binding, param, decisions);
      this.#take(policy, binding, decisions, annotations, begunMs);
    }
  }

  /** @throws ConfigurationProblem when an object can't be converted */
  async #variables(matched: MatchedRequest): Promise<ExpressionVariables> {
    const { object, oldObject } = this.#request.attributes;
    try {
      return this.#request.variables(
        matched,
        await this.#request.converted(object, matched),
        await this.#request.converted(oldObject, matched),
      );
    } catch (failure) {
      throw new ConfigurationProblem(`failed to convert object version: ${messageOf(failure)}`);
    }
  }

  #take(
    policy: ValidatingPolicy,
    binding: PolicyBinding,
    { decisions, annotations }: PolicyDecisions,
    collector: AnnotationCollector,
    begunMs: number,
  ): void {
    const count = (action: Enforcement, decision: Pick<PolicyDecision, 'isError' | 'message'>): void =>
      this.#parts.metrics.validated(policy, binding, action, decision, begunMs);
    for (const [index, decision] of decisions.entries()) {
      if (!decision.isDenied) {
        if (decision.isError) count('allow', decision);
        continue;
      }
      for (const action of binding.spec.validationActions ?? []) {
        count(enforcement[action], decision);
        const { message, reason } = decision;
        if (action === 'Deny') this.#denials.push({ policy, binding, message, reason });
        else if (action === 'Warn') this.#request.attributes.warn(warningText(policy, binding, message));
        else this.#request.attributes.annotate(...failureAnnotation(binding, index, message));
      }
    }
    for (const annotation of annotations) {
      if (annotation.kind === 'publish') collector.add(annotation.key, annotation.value);
      else if (annotation.kind === 'deny') {
        const { message } = annotation;
        this.#denials.push({ policy, binding, message, reason: '' });
        count('deny', { isError: true, message });
      }
    }
  }

  async #reporting(
    policy: ValidatingPolicy,
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

  #misconfigured(policy: ValidatingPolicy, binding: PolicyBinding | undefined, problem: string): void {
    if (ignoresFailures(policy)) return;
    const what = binding === undefined ? 'policy' : 'binding';
    this.#denials.push({
      policy,
      binding,
      message: `failed to configure ${what}: ${problem}`,
      reason: '',
    });
  }

  finish(): void {
    const [first] = this.#denials;
    if (first !== undefined) throw refusalOf(first, this.#request.attributes);
  }
}

/** A step for each policy and binding that was evaluated. */
function notePolicy(
  { observer }: AdmissionAttributes,
  policy: ValidatingPolicy,
  binding: PolicyBinding,
  param: KubeObject | undefined,
  { decisions }: PolicyDecisions,
): void {
  if (observer === undefined) return;
  const verdicts = decisions.map(({ isDenied, message }) => (isDenied ? `denied: ${message}` : 'allowed'));
  runStep(
    observer,
    `policy/${nameOf(policy)}`,
    () => undefined,
    {
      binding: nameOf(binding),
      ...noteOfParam(param),
      actions: binding.spec.validationActions,
      expressions: (policy.spec.validations ?? []).map(({ expression }) => expression),
      verdicts,
      ...(decisions.some(({ isDenied }) => isDenied) && { decision: 'denied' }),
    },
    policyDecisions,
  );
}

const enforcement = { Deny: 'deny', Warn: 'warn', Audit: 'audit' } as const;

const warningText = (policy: ValidatingPolicy, binding: PolicyBinding, message: string): string =>
  `Validation failed for ValidatingAdmissionPolicy '${nameOf(policy)}' with binding '${nameOf(binding)}': ${message}`;

const codes: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
};

function refusalOf({ policy, binding, ...denial }: Denial, attributes: AdmissionAttributes): StatusError {
  const by = binding === undefined ? '' : ` with binding '${nameOf(binding)}'`;
  const message = `ValidatingAdmissionPolicy '${nameOf(policy)}'${by} denied request: ${denial.message}`;
  const { message: text, details } = refused(attributes, message).status;
  const reason = denial.reason || 'Invalid';
  return new StatusError(codes[reason] ?? 422, reason, text ?? '', { ...details, causes: [{ message }] });
}
