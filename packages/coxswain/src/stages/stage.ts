/** kwok's Stage, as it is written in YAML: what becomes of an object, when, and how. */

export interface Stage {
  readonly metadata: { readonly name: string };
  readonly spec: StageSpec;
}

export interface StageSpec {
  /** `apiGroup` is a group and version, `v1` when absent. */
  readonly resourceRef: { readonly apiGroup?: string; readonly kind: string };
  readonly selector?: StageSelector;
  readonly weight?: number;
  readonly weightFrom?: ExpressionFrom;
  readonly delay?: StageDelay;
  readonly next?: StageNext;
  readonly steps?: readonly StageStep[];
}

export interface StageSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchAnnotations?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly StageExpression[];
}

/** A path with what it must find, as such or as `jq`, or a condition in CEL. */
export type StageExpression =
  | StageRequirement
  | { readonly jq: StageRequirement }
  | { readonly cel: CelExpression };

export interface CelExpression {
  readonly expression: string;
}

export interface StageRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
}

export interface ExpressionFrom {
  readonly expressionFrom?: string;
  readonly jq?: { readonly expression: string };
  readonly cel?: CelExpression;
}

export interface StageDelay {
  readonly durationMilliseconds?: number;
  readonly durationFrom?: ExpressionFrom;
  readonly jitterDurationMilliseconds?: number;
  readonly jitterDurationFrom?: ExpressionFrom;
}

export interface StageEvent {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface StageFinalizers {
  readonly add?: readonly { readonly value: string }[];
  readonly remove?: readonly { readonly value: string }[];
  readonly empty?: boolean;
}

/** In whose name a request is made. */
export interface StageImpersonation {
  readonly username: string;
}

export interface StagePatch {
  readonly subresource?: string;
  readonly root?: string;
  readonly template: string;
  readonly type?: 'json' | 'merge' | 'strategic';
  readonly impersonation?: StageImpersonation;
}

/** Makes another object, or changes it when it is there. */
export interface StageApply {
  readonly subresource?: string;
  readonly template: string;
  readonly type?: 'apply' | 'merge' | 'strategic';
  readonly impersonation?: StageImpersonation;
}

export interface StageStep {
  readonly event?: StageEvent;
  readonly finalizers?: StageFinalizers;
  readonly delete?: boolean;
  readonly patch?: StagePatch;
  readonly apply?: StageApply;
}

export interface StageNext extends Omit<StageStep, 'patch' | 'apply'> {
  /** With these, the status template is not looked at. */
  readonly patches?: readonly StagePatch[];
  readonly statusTemplate?: string;
  readonly statusSubresource?: string;
  readonly statusPatchAs?: StageImpersonation;
}

/** The steps of a stage, however they are written. */
export function stepsOf({ next, steps }: StageSpec): readonly StageStep[] {
  if (steps !== undefined && steps.length > 0) return steps;
  if (next === undefined) return [];
  return [
    ...(next.event === undefined ? [] : [{ event: next.event }]),
    ...(next.finalizers === undefined ? [] : [{ finalizers: next.finalizers }]),
    ...patchesOf(next).map((patch) => ({ patch })),
    ...(next.delete ? [{ delete: true }] : []),
  ];
}

function patchesOf(next: StageNext): readonly StagePatch[] {
  const { patches = [], statusTemplate = '', statusSubresource = 'status', statusPatchAs } = next;
  if (patches.length > 0) return patches;
  if (statusTemplate.trim() === '') return [];
  return [
    {
      template: statusTemplate,
      subresource: statusSubresource,
      root: 'status',
      ...(statusPatchAs !== undefined && { impersonation: statusPatchAs }),
    },
  ];
}
