/** ListOptions: the selection of a list, a watch or a deletecollection, and the required resourceVersion. */
import { badRequest, invalid } from '@coxswain/apimachinery/errors.ts';
import { forbiddenError, notSupportedError, type FieldError } from '@coxswain/apimachinery/field-error.ts';
import {
  everyField,
  exactFieldMatch,
  fieldSelectorInSteps,
  fieldSelectorOf,
  parseFieldSelector,
  type FieldSelector,
  type FieldTransform,
} from '@coxswain/apimachinery/field-selector.ts';
import { labelSelectorInSteps, parseLabelSelector } from '@coxswain/apimachinery/label-selector-text.ts';
import { everythingSelector, type LabelSelector } from '@coxswain/apimachinery/label-selector.ts';
import { stepsInSlices } from '@coxswain/apimachinery/slices.ts';
import type { Steps } from '@coxswain/apimachinery/work-in-steps.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ApiRequest } from '../../http/api-request.ts';
import { fieldLabelOf } from '../../registry/field-labels.ts';
import type { ResourceScope } from '../../services/resource-scope.ts';
import type { ListOptions } from '../../rest/options.ts';
import { booleanOf, integerOf, textOf } from './parameter.ts';

const everything: ListOptions = {
  labelSelector: everythingSelector,
  fieldSelector: everyField,
  resourceVersion: '',
  resourceVersionMatch: '',
  limit: 0,
  continue: '',
  timeoutSeconds: undefined,
  watch: false,
  allowWatchBookmarks: false,
  sendInitialEvents: undefined,
};

type Selectors = Pick<ListOptions, 'labelSelector' | 'fieldSelector'>;

/** Longer selectors take milliseconds to parse. */
const parsedAtOnceMax = 8 * 1024;

/**
 * The selectors of the request if they must be parsed in slices, before {@link listOptionsOf}.
 * @throws StatusError 400
 */
export function longSelectorsOf(request: ApiRequest, scope: ResourceScope): Promise<Selectors> | undefined {
  if (!request.hasQuery || request.incoming.query.length <= parsedAtOnceMax || request.isUrgent)
    return undefined;
  const steps = selectorsInSteps(request.parameters, scope);
  return stepsInSlices(steps, scope.services.clock, request.owner).catch((failure: unknown) => {
    throw badRequest(messageOf(failure));
  });
}

function* selectorsInSteps(parameters: URLSearchParams, scope: ResourceScope): Steps<Selectors> {
  const labelText = textOf(parameters, 'labelSelector');
  const fieldText = textOf(parameters, 'fieldSelector');
  return {
    labelSelector: labelText === '' ? everythingSelector : yield* labelSelectorInSteps(labelText),
    fieldSelector: fieldText === '' ? everyField : yield* fieldSelectorInSteps(fieldText, named(scope)),
  };
}

/**
 * @param forceWatch for the deprecated `/watch/` paths
 * @param selectors of {@link longSelectorsOf}
 * @throws StatusError 400 or 422
 */
export function listOptionsOf(
  request: ApiRequest,
  scope: ResourceScope,
  forceWatch: boolean,
  selectors?: Selectors,
): ListOptions {
  const stated = request.hasQuery ? parsed(request.parameters, scope, selectors) : everything;
  const { offersWatchList = true } = scope.services;
  const options = forceWatch ? { ...stated, watch: true } : stated;
  const checked = offersWatchList ? watchDefaults(options) : options;
  const errors = checked.watch ? watchErrors(checked, offersWatchList) : listErrors(checked);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  const withDefaults = offersWatchList ? checked : { ...watchDefaults(checked), marksInitialEvents: false };
  return forOneName({ ...withDefaults, owner: request.owner }, request);
}

function parsed(
  parameters: URLSearchParams,
  scope: ResourceScope,
  selectors: Selectors = selectorsOf(parameters, scope),
): ListOptions {
  return {
    ...selectors,
    ...(selectors.fieldSelector.everything || scope.identity
      ? undefined
      : { fieldOf: fieldOfVersion(scope) }),
    resourceVersion: textOf(parameters, 'resourceVersion'),
    resourceVersionMatch: textOf(parameters, 'resourceVersionMatch') as ListOptions['resourceVersionMatch'],
    limit: Math.max(0, integerOf(parameters, 'limit') ?? 0),
    continue: textOf(parameters, 'continue'),
    timeoutSeconds: integerOf(parameters, 'timeoutSeconds'),
    watch: booleanOf(parameters, 'watch') ?? false,
    allowWatchBookmarks: booleanOf(parameters, 'allowWatchBookmarks') ?? false,
    sendInitialEvents: booleanOf(parameters, 'sendInitialEvents'),
  };
}

const selectorsOf = (parameters: URLSearchParams, scope: ResourceScope): Selectors => ({
  labelSelector: labelsOf(textOf(parameters, 'labelSelector')),
  fieldSelector: fieldsOf(textOf(parameters, 'fieldSelector'), scope),
});

const labelsOf = (text: string): LabelSelector =>
  text === '' ? everythingSelector : selector(() => parseLabelSelector(text));

const fieldsOf = (text: string, scope: ResourceScope): FieldSelector =>
  text === '' ? everyField : selector(() => parseFieldSelector(text, named(scope)));

function selector<T>(parse: () => T): T {
  try {
    return parse();
  } catch (failure) {
    throw badRequest(messageOf(failure));
  }
}

/** Selectable fields belong to the endpoint's version, so they are read from the converted object. */
const fieldOfVersion =
  ({ kind, fromStorage }: ResourceScope) =>
  (object: KubeObject, field: string): string => {
    const valueOf = kind.behaviour.selectableFields?.[field];
    return valueOf === undefined ? '' : valueOf(fromStorage(object) as never);
  };

const named =
  ({ kind }: ResourceScope): FieldTransform =>
  (term) => ({ ...term, field: fieldLabelOf(kind, term.field) });

/** A watch without a resourceVersion, or from 0, starts with the current state. */
function watchDefaults(options: ListOptions): ListOptions {
  const { watch, sendInitialEvents, resourceVersionMatch, resourceVersion } = options;
  if (!watch || sendInitialEvents !== undefined || resourceVersionMatch !== '') return options;
  return resourceVersion === '' || resourceVersion === '0'
    ? { ...options, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }
    : options;
}

const matchField = 'resourceVersionMatch';

function listErrors(options: ListOptions): readonly FieldError[] {
  const { resourceVersionMatch: match, resourceVersion, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  if (match !== '') {
    if (resourceVersion === '') {
      errors.push(
        forbiddenError(matchField, 'resourceVersionMatch is forbidden unless resourceVersion is provided'),
      );
    }
    if (options.continue !== '') {
      errors.push(forbiddenError(matchField, 'resourceVersionMatch is forbidden when continue is provided'));
    }
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(notSupportedError(matchField, match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && resourceVersion === '0') {
      errors.push(
        forbiddenError(matchField, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
      );
    }
  }
  if (sendInitialEvents !== undefined) {
    errors.push(forbiddenError('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

function watchErrors(options: ListOptions, offersWatchList: boolean): readonly FieldError[] {
  const { resourceVersionMatch: match, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    errors.push(
      forbiddenError(matchField, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
    );
  }
  if (sendInitialEvents !== undefined && !offersWatchList) {
    errors.push(
      forbiddenError(
        'sendInitialEvents',
        'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
      ),
    );
  }
  if (match === '') return errors;
  if (sendInitialEvents === undefined) {
    errors.push(
      forbiddenError(
        matchField,
        'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ),
    );
  }
  if (match !== 'NotOlderThan') errors.push(notSupportedError(matchField, match, ['NotOlderThan']));
  if (options.continue !== '') {
    errors.push(forbiddenError(matchField, 'resourceVersionMatch is forbidden when continue is provided'));
  }
  return errors;
}

/** A name in the path (of a deprecated watch) acts as a field selector. */
function forOneName(options: ListOptions, { info }: ApiRequest): ListOptions {
  const name = info.parts[1] ?? '';
  if (name === '') return options;
  const selected = exactFieldMatch(options.fieldSelector, 'metadata.name');
  if (!options.fieldSelector.everything) {
    if (selected !== name) throw badRequest("fieldSelector metadata.name doesn't match requested name");
    return options;
  }
  return {
    ...options,
    fieldSelector: fieldSelectorOf([{ field: 'metadata.name', operator: '=', value: name }]),
  };
}
