/** Validates events of both APIs: the older one accepts nearly everything, the newer one is strict. */

import {
  byteLength,
  checkDnsSubdomain,
  checkQualifiedName,
  semanticDeepEqual,
  type FieldError,
} from '@coxswain/apimachinery';
import { check, immutable, pathOf, Errors } from '../../meta/checks.ts';
import { goStruct } from '../../meta/go-struct.ts';
import type { MetaObject } from '../../meta/kind-object.ts';
import {
  subdomainName,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../../meta/object-meta-validation.ts';
import { EventSource } from './event-source.ts';
import { ObjectReference } from './object-reference.ts';

/** An event with the fields of core/v1. */
export interface EventObject extends MetaObject {
  eventTime?: string | null;
  firstTimestamp?: string | null;
  lastTimestamp?: string | null;
  count?: number;
  series?: { count?: number; lastObservedTime?: string | null };
  involvedObject: ObjectReference;
  related?: ObjectReference;
  source?: EventSource;
  type?: string;
  reason?: string;
  action?: string;
  message?: string;
  reportingComponent?: string;
  reportingInstance?: string;
}

export const validateCoreEvent = (event: EventObject): FieldError[] => {
  const errors = new Errors();
  validateLegacy(event, 'reportingComponent', errors);
  return errors;
};

export function validateStrictEvent(event: EventObject, old: EventObject | undefined): FieldError[] {
  const errors = new Errors();
  validateLegacy(event, 'reportingController', errors);
  if (old !== undefined) {
    validateStrictUpdate(event, old, errors);
    return errors;
  }
  validateObjectMeta(event.metadata, { namespaced: true, name: subdomainName }, errors);
  validateSeries(event, errors);
  if (!event.eventTime) errors.required('eventTime');
  if (event.type !== 'Normal' && event.type !== 'Warning') {
    errors.invalid('type', '', `has invalid value: ${event.type ?? ''}`);
  }
  const mustBeUnset = {
    firstTimestamp: event.firstTimestamp,
    lastTimestamp: event.lastTimestamp,
    count: event.count,
    source: event.source?.component || event.source?.host,
  };
  for (const [member, value] of Object.entries(mustBeUnset)) {
    if (value) errors.invalid(member, '', 'needs to be unset');
  }
  return errors;
}

/** Besides metadata, only the series is mutable. */
function validateStrictUpdate(event: EventObject, old: EventObject, errors: Errors): void {
  validateObjectMetaUpdate(event.metadata, old.metadata, errors);
  if (!isSameSeries(event.series, old.series)) validateSeries(event, errors);
  const printed = (type: typeof ObjectReference | typeof EventSource, value: unknown) =>
    value == null ? null : goStruct(type, value);
  const fixed = (member: string, now: unknown, before: unknown, shown: unknown = now): void => {
    // An empty reference differs from an absent one.
    const isSame = semanticDeepEqual(now, before) && (now == null) === (before == null);
    if (!isSame) errors.invalid(member, shown, 'field is immutable');
  };
  const text = (member: 'reason' | 'message' | 'type' | 'action'): void =>
    fixed(member, event[member] ?? '', old[member] ?? '');
  fixed(
    'involvedObject',
    event.involvedObject,
    old.involvedObject,
    printed(ObjectReference, event.involvedObject),
  );
  text('reason');
  text('message');
  fixed('source', event.source, old.source, printed(EventSource, event.source));
  fixed('firstTimestamp', event.firstTimestamp || null, old.firstTimestamp || null);
  fixed('lastTimestamp', event.lastTimestamp || null, old.lastTimestamp || null);
  immutable(event.count ?? 0, old.count ?? 0, 'count', errors);
  text('reason');
  text('type');
  fixed('eventTime', event.eventTime || null, old.eventTime || null);
  text('action');
  fixed('related', event.related ?? null, old.related ?? null, printed(ObjectReference, event.related));
  fixed('reportingController', event.reportingComponent ?? '', old.reportingComponent ?? '');
  fixed('reportingInstance', event.reportingInstance ?? '', old.reportingInstance ?? '');
}

function isSameSeries(now: EventObject['series'], before: EventObject['series']): boolean {
  if (now == null || before == null) return now == null && before == null;
  const isSameTime = (now.lastObservedTime || null) === (before.lastObservedTime || null);
  return isSameTime && (now.count ?? 0) === (before.count ?? 0);
}

function validateSeries({ series }: EventObject, errors: Errors): void {
  if (series == null) return;
  if ((series.count ?? 0) < 2) errors.invalid('series.count', '', 'should be at least 2');
  if (!series.lastObservedTime) errors.required('series.lastObservedTime');
}

const wordLengthMax = 128;
const noteLengthMax = 1024;

/** Events with an eventTime follow the newer rules, whichever API they come through. */
function validateLegacy(event: EventObject, controllerMember: string, errors: Errors): void {
  const namespace = event.metadata.namespace ?? '';
  const involved = event.involvedObject?.namespace ?? '';
  const mismatch = (): void => {
    errors.invalid(pathOf('involvedObject', 'namespace'), involved, 'does not match event.namespace');
  };
  if (!event.eventTime) {
    if (involved === '' ? namespace !== '' && namespace !== 'default' : namespace !== involved) mismatch();
  } else {
    if (involved === '' && namespace !== 'default' && namespace !== 'kube-system') mismatch();
    const controller = event.reportingComponent ?? '';
    if (controller === '') errors.required(controllerMember);
    check(controller, pathOf(controllerMember), checkQualifiedName, errors);
    for (const member of ['reportingInstance', 'action', 'reason'] as const) {
      const value = event[member] ?? '';
      if (value === '') errors.required(member);
      if (byteLength(value) > wordLengthMax) {
        errors.invalid(member, '', `can have at most ${wordLengthMax} characters`);
      }
    }
    if (byteLength(event.message ?? '') > noteLengthMax) {
      errors.invalid('message', '', `can have at most ${noteLengthMax} characters`);
    }
  }
  check(namespace, pathOf('namespace'), checkDnsSubdomain, errors);
}
