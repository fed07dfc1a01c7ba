/** The strategy of custom resources: what writes reset, preserve and validate. */
import {
  deepEqual,
  fieldErrorText,
  forbidden,
  here,
  invalidError,
  runStepInTurn,
  type Clock,
  type FieldError,
} from '@coxswain/apimachinery';
import { withinAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import type { CelMetrics } from '@coxswain/apiserver/metrics/cel-metrics.ts';
import {
  subdomainName,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@coxswain/api/meta/object-meta-validation.ts';
import type { ApiRequest, Strategy } from '@coxswain/apiserver';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '@coxswain/api/apiextensions/v1/index.ts';
import { applyDefaults, type Kind } from '@coxswain/schema';
import type { StructuralSchema } from '@coxswain/schema/custom/compile.ts';
import type { AnyObject } from '../groups/any-object.ts';
import { customKind, schemaOf } from './custom-kind.ts';
import { finalizerWarnings } from './finalizer-warnings.ts';
import { scaleErrors, scaleStatusErrors } from './scale-validation.ts';
import { counting } from '../groups/versioned-errors.ts';
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { Errors } from '@coxswain/api/meta/checks.ts';
import { RuleEvaluator } from '@coxswain/api/apiextensions/rule-evaluation.ts';
import { embeddedErrors } from '@coxswain/api/apiextensions/embedded-validation.ts';
import { listTypeErrors } from '@coxswain/api/apiextensions/list-uniqueness.ts';
import { schemaErrors } from '@coxswain/api/apiextensions/value-validation.ts';

/** @param cel records the durations of validation rules; absent: none are recorded */
export function customStrategy(
  definition: CustomResourceDefinition,
  isTerminating: () => boolean,
  features: FeatureGates,
  cel?: TimedRules,
): Strategy<AnyObject> {
  const rules = rulesOf(definition, features, cel);
  const namespaced = definition.spec.scope === 'Namespaced';
  const meta = { name: subdomainName, coreFinalizers: false, namespaced };
  return {
    namespaced,
    allowUnconditionalUpdate: false,
    ...(rules.hasStatus ? { resetFields: [['status']] } : {}),
    prepareForCreate(object) {
      if (rules.hasStatus) delete object.status;
      object.metadata.generation = 1;
    },
    canonicalize(object) {
      if (rules.hasStatus && object.status === undefined) rules.applyDefaults(object);
    },
    prepareForUpdate(object, old) {
      if (rules.hasStatus) {
        if (old.status === undefined) delete object.status;
        else object.status = old.status;
      }
      if (!deepEqual(withoutMetadata(object), withoutMetadata(old))) {
        object.metadata.generation = (old.metadata.generation ?? 0) + 1;
      }
    },
    validate(object, request) {
      const errors = new Errors();
      validateObjectMeta(object.metadata, meta, errors);
      return rules.errors(errors, object, undefined, request);
    },
    validateUpdate(object, old, request) {
      const errors = new Errors();
      validateObjectMetaUpdate(object.metadata, old.metadata, errors, meta.coreFinalizers);
      return rules.errors(errors, object, old, request);
    },
    warningsOnCreate: (object) => finalizerWarnings(object.metadata, undefined),
    warningsOnUpdate: (object, old) => finalizerWarnings(object.metadata, old.metadata),
    beginCreate(object) {
      if (!isTerminating()) return undefined;
      const { group, names } = definition.spec;
      throw forbidden(
        { group, resource: names.plural },
        object.metadata.name ?? '',
        'create not allowed while custom resource definition is terminating',
      );
    },
  };
}

/** `/status`: changes only the status. */
export function customStatusStrategy(
  definition: CustomResourceDefinition,
  features: FeatureGates,
): Strategy<AnyObject> {
  const rules = rulesOf(definition, features);
  return {
    namespaced: definition.spec.scope === 'Namespaced',
    allowUnconditionalUpdate: false,
    resetFields: resetByStatus(definition),
    prepareForUpdate(object, old) {
      const { status, metadata } = object;
      const { resourceVersion, managedFields } = metadata;
      // This write may clear managedFields.
      const { managedFields: _before, ...kept } = old.metadata;
      for (const member of Object.keys(object)) delete object[member];
      Object.assign(object, old, {
        metadata: { ...kept, resourceVersion, ...(managedFields && { managedFields }) },
      });
      // A null status counts as absent if there was none before.
      if (status === undefined || (status === null && old.status === undefined)) delete object.status;
      else object.status = status;
    },
    validateUpdate: (object, old, request) => rules.statusErrors(object, old, request),
  };
}

/** Everything but the status: the members in the schemas, and the metadata. */
const resetByStatus = ({ spec }: CustomResourceDefinition): readonly (readonly string[])[] => {
  const members = spec.versions.flatMap((version) => Object.keys(schemaOf(version)?.properties ?? {}));
  const others = new Set([...members, 'metadata', 'spec']);
  others.delete('status');
  return [...others].map((member) => [member]);
};

function withoutMetadata(object: AnyObject): object {
  const { metadata: _, ...others } = object;
  return others;
}

export interface TimedRules extends CelMetrics {
  readonly clock: Clock;
}

function timed<T>(cel: TimedRules | undefined, name: keyof CelMetrics, run: () => T): T {
  if (cel === undefined) return run();
  const startMs = cel.clock.monotonic();
  const result = run();
  cel[name].observe((cel.clock.monotonic() - startMs) / 1000);
  return result;
}

function rulesOf(definition: CustomResourceDefinition, features: FeatureGates, cel?: TimedRules) {
  const { spec } = definition;
  const stored = spec.versions.find(({ storage }) => storage)!;
  const versionOf = ({ info }: ApiRequest) =>
    spec.versions.find(({ name }) => name === info.version) ?? stored;
  const evaluators = new Map<string, RuleEvaluator | undefined>();
  const evaluatorOf = (version: CustomResourceDefinitionVersion): RuleEvaluator | undefined => {
    if (!evaluators.has(version.name)) {
      const schema = version.schema?.openAPIV3Schema;
      const compiled = schema && timed(cel, 'compilation', () => RuleEvaluator.of(schema));
      evaluators.set(version.name, compiled);
    }
    return evaluators.get(version.name);
  };
  const withRules = (
    errors: readonly FieldError[],
    object: AnyObject,
    old: AnyObject | undefined,
    request: ApiRequest,
  ): readonly FieldError[] => {
    const evaluator = evaluatorOf(versionOf(request));
    if (evaluator === undefined) return errors;
    if (errors.some(({ type }) => blockingErrors.has(type))) return [...errors, notAllRules];
    const { errors: refused, warnings } = runStepInTurn(
      request.observer,
      here`rules`,
      () => {
        const found = withinAllowance(request.allowance, () =>
          timed(cel, 'evaluation', () => evaluator.evaluate(object, old)),
        );
        request.observer?.note?.({
          rules: evaluator.rules(),
          ...(found.errors.length > 0 && { violations: found.errors.map(fieldErrorText) }),
        });
        return found;
      },
      undefined,
      evaluator.evaluate,
    );
    for (const warning of warnings) request.warn(warning);
    return [...errors, ...refused];
  };
  let type: Kind['type'] | undefined;
  return {
    hasStatus: stored.subresources?.status !== undefined,
    /** A new object is stored without a status; its defaults are applied when it is read. */
    applyDefaults(object: AnyObject): void {
      applyDefaults((type ??= customKind(definition, stored).type), object);
    },
    errors(
      metaErrors: readonly FieldError[],
      object: AnyObject,
      old: AnyObject | undefined,
      request: ApiRequest,
    ): readonly FieldError[] {
      const version = versionOf(request);
      const schema = schemaOf(version);
      const errors = [
        ...metaErrors,
        ...(schema === undefined ? [] : counting(features, schemaErrors(schema, object, '', old))),
        ...scaleErrors(version.subresources?.scale, object),
        ...(schema === undefined ? [] : embeddedErrors(schema, object)),
        ...listErrors(schema, object, old),
      ];
      return withRules(errors, object, old, request);
    },
    statusErrors(object: AnyObject, old: AnyObject, request: ApiRequest): readonly FieldError[] {
      const version = versionOf(request);
      const schema = schemaOf(version);
      const ofStatus = schema?.properties?.['status'];
      const { status } = object;
      const errors = [
        ...(status === undefined || ofStatus === undefined
          ? []
          : counting(features, schemaErrors(ofStatus, status, '', old.status)).map(inStatus)),
        ...scaleStatusErrors(version.subresources?.scale, object),
        ...listErrors(schema, object, old),
      ];
      return withRules(errors, object, old, request);
    },
  };
}

/** The status is validated against its schema by itself, so errors' paths begin there. */
const inStatus = (error: FieldError): FieldError => ({
  ...error,
  field: error.field === '<nil>' || error.field === '' ? 'status' : `status.${error.field}`,
});

/** Lists with duplicate keys are refused, unless they had them before. */
function listErrors(
  schema: StructuralSchema | undefined,
  object: object,
  old: object | undefined,
): readonly FieldError[] {
  if (schema === undefined) return [];
  return old !== undefined && listTypeErrors(schema, old).length > 0 ? [] : listTypeErrors(schema, object);
}

/** Errors after which rules are not evaluated. */
const blockingErrors: ReadonlySet<FieldError['type']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTypeInvalid',
  'FieldValueTooLong',
  'FieldValueTooMany',
]);

const notAllRules = invalidError(
  undefined,
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);
