import { checkDnsLabel, validateLabels, type FieldError } from '@coxswain/apimachinery';
import { containerResourceName, validateRequirements } from '../core/v1/pod/resource-validation.ts';
import { validateTolerations } from '../core/v1/pod/scheduling-validation.ts';
import { Toleration } from '../core/v1/taint.ts';
import { check, immutable, pathOf, Errors } from '../meta/checks.ts';
import { goStruct } from '../meta/go-struct.ts';
import type { MetaObject } from '../meta/kind-object.ts';
import {
  subdomainName,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../meta/object-meta-validation.ts';

interface RuntimeClass extends MetaObject {
  handler?: string;
  overhead?: { podFixed?: Record<string, string> } | null;
  scheduling?: { nodeSelector?: Record<string, string>; tolerations?: Toleration[] } | null;
}

export function validateRuntimeClass(runtime: RuntimeClass, old: RuntimeClass | undefined): FieldError[] {
  const errors = new Errors();
  validateObjectMeta(
    runtime.metadata,
    { namespaced: false, name: subdomainName, coreFinalizers: false },
    errors,
  );
  const path = pathOf('handler');
  const { handler = '', overhead, scheduling } = runtime;
  const ofHandler = new Errors();
  if (handler === '') ofHandler.required(path);
  else check(handler, path, checkDnsLabel, ofHandler);
  errors.push(...ofHandler);
  if (overhead?.podFixed != null) {
    const limits = { limits: overhead.podFixed };
    validateRequirements(limits, containerResourceName, new Set(), false, pathOf('overhead'), errors);
  }
  if (scheduling != null) validateScheduling(scheduling, errors);
  if (old === undefined) return errors;
  validateObjectMetaUpdate(runtime.metadata, old.metadata, errors, false);
  immutable(handler, old.handler, path, errors);
  return errors;
}

function validateScheduling(
  { nodeSelector, tolerations = [] }: NonNullable<RuntimeClass['scheduling']>,
  errors: Errors,
): void {
  errors.push(...validateLabels(nodeSelector, pathOf('scheduling', 'nodeSelector')));
  const path = pathOf('scheduling', 'tolerations');
  validateTolerations(tolerations, path, { tolerationComparisons: false }, errors);
  const seen = new Set<string>();
  for (const [index, toleration] of tolerations.entries()) {
    const { key, operator, value, effect } = toleration;
    const listKey = JSON.stringify([key ?? '', operator ?? '', value ?? '', effect ?? '']);
    if (seen.has(listKey)) errors.duplicate(path.index(index), goStruct(Toleration, toleration));
    seen.add(listKey);
  }
}
