/** The parts of stored admission policies and bindings that affect writes. */
import type * as admission from '@coxswain/api/admissionregistration/v1/index.ts';
import type { KubeObject, Live } from '@coxswain/apimachinery';

export type MatchResources = Live<admission.MatchResources>;

export type ParamKind = Live<admission.ParamKind>;

export type ParamRef = Live<admission.ParamRef>;

export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

interface PolicySpec {
  readonly failurePolicy?: string;
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchResources;
  readonly matchConditions?: readonly NamedExpression[];
  readonly variables?: readonly NamedExpression[];
}

/** Common to both kinds of policies. */
export interface AdmissionPolicy extends KubeObject {
  readonly spec: PolicySpec;
}

export type PolicyValidation = Live<admission.Validation>;

export type AuditAnnotation = Live<admission.AuditAnnotation>;

export interface ValidatingPolicy extends AdmissionPolicy {
  readonly spec: PolicySpec & {
    readonly validations?: readonly PolicyValidation[];
    readonly auditAnnotations?: readonly AuditAnnotation[];
  };
}

export type Mutation = Live<admission.Mutation>;

export interface MutatingPolicy extends AdmissionPolicy {
  readonly spec: PolicySpec & {
    readonly mutations?: readonly Mutation[];
    readonly reinvocationPolicy?: string;
  };
}

export type ValidationAction = 'Deny' | 'Warn' | 'Audit';

export interface PolicyBinding extends KubeObject {
  readonly spec: {
    readonly policyName: string;
    readonly paramRef?: ParamRef;
    readonly matchResources?: MatchResources;
    /** Only for validating policies. */
    readonly validationActions?: readonly ValidationAction[];
  };
}

export const nameOf = ({ metadata }: KubeObject): string => metadata.name ?? '';

/** The default failure policy is Fail. */
export const ignoresFailures = ({ spec }: AdmissionPolicy): boolean => spec.failurePolicy === 'Ignore';
