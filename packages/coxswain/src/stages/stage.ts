/** kwok's Stage as written in YAML: what happens to an object, when, and how. */

export interface Stage {
  readonly metadata: { readonly name: string };
  readonly spec: StageSpec;
}

export interface StageSpec {
  /** `apiGroup` is a group and version; defaults to `v1`. */
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

/** A path with the value that it must have, plain or as `jq`, or a CEL condition. */
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

/** The user to impersonate for a request. */
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

/** Creates another object, or changes it if it exists. */
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
  /** If set, the status template is ignored. */
  readonly patches?: readonly StagePatch[];
  readonly statusTemplate?: string;
  readonly statusSubresource?: string;
  readonly statusPatchAs?: StageImpersonation;
}

/** Returns the steps of a stage in either notation. */
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
