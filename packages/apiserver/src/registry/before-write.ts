/** The common part of every create and update: system fields, the strategy's preparation, validation. */
import { appendAll } from '@coxswain/apimachinery/append-all.ts';
import { Errors } from '@coxswain/api/meta/checks.ts';
import {
  pathSegmentName,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@coxswain/api/meta/object-meta-validation.ts';
import { invalid } from '@coxswain/apimachinery/errors.ts';
import { AllowanceSpent, withinAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import { formatTime } from '@coxswain/apimachinery/time.ts';
import type { FieldError } from '@coxswain/apimachinery/field-error.ts';
import { here, runStepInTurn, StatusError, type KubeObject, type Work } from '@coxswain/apimachinery';
import type { Kind } from '@coxswain/schema';
import type { ApiRequest } from '../http/api-request.ts';
import { placeInNamespace } from './place-in-namespace.ts';
import type { Strategy } from '../strategy.ts';
import { printingTypedText } from './typed-text.ts';
import { recordingChanges } from '../recorded-values/object-changes.ts';

/** @param refused what the strategy's `authorize` found @throws StatusError 422, 400 */
export function beforeCreate(
  kind: Kind,
  strategy: Strategy,
  object: KubeObject,
  request: ApiRequest,
  refused: readonly FieldError[] = [],
): void {
  const { metadata } = object;
  placeInNamespace(object, strategy.namespaced ? request.namespace : '');
  const prepare = strategy.prepareForCreate;
  if (request.observer === undefined) prepare?.(object, request);
  else if (prepare !== undefined) prepared(object, request, () => prepare(object, request), prepare);
  runStepInTurn(
    request.observer,
    here`validate`,
    () => {
      const errors = new Errors();
      appendAll(errors, refused);
      appendAll(
        errors,
        withinAllowance(request.allowance, () => strategy.validate?.(object, request) ?? []),
      );
      // The common rules apply only if the kind's own find no error, so that the kind's messages come first.
      if (errors.length === 0) {
        validateObjectMeta(metadata, { ...commonRules, namespaced: strategy.namespaced }, errors);
      }
      if (errors.length > 0) throw refusal(kind, metadata.name ?? '', errors, request);
      for (const warning of strategy.warningsOnCreate?.(object, request) ?? []) request.warn(warning);
    },
    undefined,
    rulesOf(strategy, request) ?? strategy.validate,
  );
  strategy.canonicalize?.(object);
}

/** @param refused what the strategy's `authorize` found @throws StatusError 422, 400 */
export function beforeUpdate(
  kind: Kind,
  strategy: Strategy,
  object: KubeObject,
  old: KubeObject,
  request: ApiRequest,
  refused: readonly FieldError[] = [],
): void {
  const { metadata } = object;
  placeInNamespace(object, strategy.namespaced ? request.namespace : '');
  if (old.metadata.generation === undefined) delete metadata.generation;
  else metadata.generation = old.metadata.generation;
  const prepare = strategy.prepareForUpdate;
  if (request.observer === undefined) prepare?.(object, old, request);
  else if (prepare !== undefined) prepared(object, request, () => prepare(object, old, request), prepare);
  keepSystemFields(object, old);
  runStepInTurn(
    request.observer,
    here`validate`,
    () => {
      // Errors common to all kinds are found twice, since the kinds' validations check them as well; so does upstream.
      const errors = new Errors();
      if (strategy.validateUpdate !== undefined) {
        // The preparation may have replaced the metadata: for a status it comes from the stored object.
        const { metadata: prepared } = object;
        validateObjectMeta(prepared, { ...commonRules, namespaced: strategy.namespaced }, errors);
        validateObjectMetaUpdate(prepared, old.metadata, errors, commonRules.coreFinalizers);
        appendAll(errors, refused);
        appendAll(
          errors,
          withinAllowance(request.allowance, () => strategy.validateUpdate!(object, old, request)),
        );
      }
      if (errors.length > 0) throw refusal(kind, object.metadata.name ?? '', errors, request);
      for (const warning of strategy.warningsOnUpdate?.(object, old, request) ?? []) request.warn(warning);
    },
    undefined,
    rulesOf(strategy, request) ?? strategy.validateUpdate,
  );
  strategy.canonicalize?.(object);
}

/** Runs the strategy's preparation as a step that observers see. */
function prepared(object: KubeObject, request: ApiRequest, prepare: () => void, work: Work): void {
  const { observer, info } = request;
  const reporting = () => recordingChanges(observer!, info, { object }, prepare);
  runStepInTurn(observer, here`prepare`, reporting, undefined, work);
}

/** For observers. */
const rulesOf = (strategy: Strategy, request: ApiRequest): Work | undefined =>
  request.observer && strategy.rules?.(request);

/** Each error may quote a long list, so if there are many they are formatted by another thread, if there is one. */
const mistakesHereMax = 100;

function refusal(kind: Kind, name: string, errors: readonly FieldError[], request: ApiRequest): Error {
  const isLong = errors.length > mistakesHereMax && request.allowance !== undefined;
  return isLong ? new AllowanceSpent() : invalid(kind, name, printingTypedText(kind.type, errors));
}

/** The metadata rules of all kinds. */
const commonRules = { name: pathSegmentName, coreFinalizers: false } as const;

/** Restores the system fields, which an update can neither change nor remove. */
function keepSystemFields({ metadata }: KubeObject, { metadata: old }: KubeObject): void {
  if (!metadata.uid && old.uid !== undefined) metadata.uid = old.uid;
  if (old.creationTimestamp) metadata.creationTimestamp = old.creationTimestamp;
  if (old.deletionTimestamp) metadata.deletionTimestamp = old.deletionTimestamp;
  if (old.deletionGracePeriodSeconds !== undefined && metadata.deletionGracePeriodSeconds === undefined) {
    metadata.deletionGracePeriodSeconds = old.deletionGracePeriodSeconds;
  }
}

export function fillSystemFields({ metadata }: KubeObject, nowMs: number, uid: string): void {
  metadata.creationTimestamp = formatTime(nowMs);
  metadata.uid = uid;
}

/** A 500 without a reason, as upstream. */
export const resourceVersionOnCreate = (): StatusError =>
  new StatusError(500, '', 'resourceVersion should not be set on objects to be created');

/** The allocation or check with which the strategy begins a create, as a step that observers see. */
export function begunCreate(
  strategy: Strategy,
  object: KubeObject,
  request: ApiRequest,
  dryRun: boolean,
): Begun {
  const begin = strategy.beginCreate;
  const { observer, info } = request;
  if (begin === undefined || observer === undefined) return begin?.(object, request, dryRun);
  const reporting = () => recordingChanges(observer, info, { object }, () => begin(object, request, dryRun));
  return runStepInTurn(observer, here`begin-create`, reporting, undefined, begin);
}

/** The same for an update. */
export function begunUpdate(
  strategy: Strategy,
  object: KubeObject,
  old: KubeObject,
  request: ApiRequest,
  dryRun: boolean,
): Begun {
  const begin = strategy.beginUpdate;
  const { observer, info } = request;
  if (begin === undefined || observer === undefined) return begin?.(object, old, request, dryRun);
  const reporting = () =>
    recordingChanges(observer, info, { object }, () => begin(object, old, request, dryRun));
  return runStepInTurn(observer, here`begin-update`, reporting, undefined, begin);
}

type Begun = ReturnType<NonNullable<Strategy['beginCreate']>>;
