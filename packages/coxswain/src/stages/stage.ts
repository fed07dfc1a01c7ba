/** kwok's Stage, as it is written in YAML: what becomes of an object, when, and how. */

import { splitYamlDocuments } from '@coxswain/apimachinery/yaml/documents.ts';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';

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

/** A path with what it must find, or a condition in CEL. */
export type StageExpression = StageRequirement | { readonly cel: CelExpression };

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

export interface StagePatch {
  readonly subresource?: string;
  readonly root?: string;
  readonly template: string;
  readonly type?: 'json' | 'merge' | 'strategic';
}

export interface StageStep {
  readonly event?: StageEvent;
  readonly finalizers?: StageFinalizers;
  readonly delete?: boolean;
  readonly patch?: StagePatch;
}

export interface StageNext extends Omit<StageStep, 'patch'> {
  readonly patches?: readonly StagePatch[];
  readonly statusTemplate?: string;
  readonly statusSubresource?: string;
}

/** @throws Error that names the document and what is wrong with it; YamlError */
export function parseStages(yaml: string): readonly Stage[] {
  return splitYamlDocuments(yaml)
    .map(
      (text) => readYaml(text) as (Stage & { readonly kind?: string; readonly apiVersion?: string }) | null,
    )
    .filter((document) => document !== null)
    .map((document) => {
      if (document.kind !== 'Stage' || document.apiVersion !== 'kwok.x-k8s.io/v1alpha1')
        throw new Error(
          `a stage is kwok.x-k8s.io/v1alpha1, Kind=Stage, not ${document.apiVersion}, Kind=${document.kind}`,
        );
      checkBuilt(document);
      return document;
    });
}

/** What kwok has and this has not is refused, lest somebody waits for it. */
function checkBuilt({ metadata, spec }: Stage): void {
  const refuse = (what: string) => {
    throw new Error(`stage ${metadata.name}: ${what} is not implemented`);
  };
  if (spec.steps?.some((step) => 'apply' in step)) refuse('apply');
  const impersonates = (patch: object | undefined) => patch !== undefined && 'impersonation' in patch;
  if (spec.next && 'statusPatchAs' in spec.next) refuse('statusPatchAs');
  if (spec.next?.patches?.some(impersonates) || spec.steps?.some(({ patch }) => impersonates(patch)))
    refuse('impersonation');
}

/** The steps of a stage, however they are written: event, finalizers, deletion or patches. */
export function stepsOf({ next, steps }: StageSpec): readonly StageStep[] {
  if (steps !== undefined && steps.length > 0) return steps;
  if (next === undefined) return [];
  const { patches = [], statusTemplate, statusSubresource = 'status', ...first } = next;
  const status: readonly StagePatch[] =
    statusTemplate === undefined || statusTemplate.trim() === ''
      ? []
      : [{ template: statusTemplate, subresource: statusSubresource, root: 'status' }];
  return [first, ...[...patches, ...status].map((patch) => ({ patch }))];
}
