/** Computes the accepted names and the conditions of a CustomResourceDefinition. */
import { deepEqual } from '@coxswain/apimachinery';
import { groupApproval, type GroupApproval } from '@coxswain/api/apiextensions/group-approval.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
} from '@coxswain/api/apiextensions/v1/index.ts';

type Names = CustomResourceDefinition['spec']['names'];
type Status = CustomResourceDefinition['status'];
export type Condition = Omit<CustomResourceDefinitionCondition, 'lastTransitionTime'>;

export const conditionOf = ({ status }: CustomResourceDefinition, type: string) =>
  (status?.conditions ?? []).find((condition) => condition.type === type);

export const isEstablished = (definition: CustomResourceDefinition): boolean =>
  conditionOf(definition, 'Established')?.status === 'True';

/** Sets a condition in the status; its time changes only with the condition's status. */
export function withCondition(status: Status, now: string, condition: Condition): Status {
  const conditions = status?.conditions ?? [];
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const old = conditions[index];
  const lastTransitionTime = old?.status === condition.status ? (old.lastTransitionTime ?? now) : now;
  const next = { ...condition, lastTransitionTime };
  return { ...status, conditions: index < 0 ? [...conditions, next] : conditions.with(index, next) };
}

/** Called only when the definition has names that are not accepted yet. */
type Others = () => readonly CustomResourceDefinition[];

/** The status that the definition should have, given the others of its group. */
export function namedStatus(definition: CustomResourceDefinition, others: Others, now: string): Status {
  const { names, conflict } = acceptNames(definition, others);
  const accepted: Condition =
    conflict === undefined
      ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : { type: 'NamesAccepted', status: 'False', ...conflict };
  const named = withApproval(
    definition,
    withCondition({ ...definition.status, acceptedNames: names }, now, accepted),
    now,
  );
  if (isEstablished(definition)) return named;
  return withCondition(
    named,
    now,
    conflict === undefined
      ? {
          type: 'Established',
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
        }
      : {
          type: 'Established',
          status: 'False',
          reason: 'NotAccepted',
          message: 'not all names are accepted',
        },
  );
}

const approvalConditions: Readonly<Record<GroupApproval['state'], Pick<Condition, 'status' | 'reason'>>> = {
  approved: { status: 'True', reason: 'ApprovedAnnotation' },
  bypassed: { status: 'False', reason: 'UnapprovedAnnotation' },
  invalid: { status: 'False', reason: 'InvalidAnnotation' },
  missing: { status: 'False', reason: 'MissingAnnotation' },
};

/** For groups that require approval. */
function withApproval({ metadata, spec }: CustomResourceDefinition, status: Status, now: string): Status {
  const approval = groupApproval(spec.group, metadata.annotations);
  if (approval === undefined) return status;
  const { state, message } = approval;
  const type = 'KubernetesAPIApprovalPolicyConformant';
  return withCondition(status, now, { type, ...approvalConditions[state], message });
}

export const needsStatus = (before: Status, after: Status): boolean => !deepEqual(before, after);

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

/** Names already taken by another definition of the group are refused; the others are accepted. */
function acceptNames(
  { spec, status }: CustomResourceDefinition,
  others: Others,
): { readonly names: Names; readonly conflict: Conflict | undefined } {
  let known: readonly Names[] | undefined;
  const taken = () =>
    (known ??= others()
      .map((other) => other.status?.acceptedNames)
      .filter((names) => names !== undefined));
  const resources = (name: string | undefined): boolean =>
    taken().some(
      ({ plural, singular, shortNames }) =>
        plural === name || singular === name || (shortNames?.includes(name ?? '') ?? false),
    );
  const kinds = (name: string | undefined): boolean =>
    taken().some(({ kind, listKind }) => kind === name || listKind === name);
  const names: Names = { ...(status?.acceptedNames ?? { plural: '', kind: '' }) };
  let conflict: Conflict | undefined;
  const accept = (
    member: 'plural' | 'singular' | 'kind' | 'listKind',
    isTaken: (name: string | undefined) => boolean,
  ) => {
    const wanted = spec.names[member];
    if (wanted !== names[member] && isTaken(wanted)) {
      conflict = {
        reason: `${capitalized(member)}Conflict`,
        message: `${JSON.stringify(wanted)} is already in use`,
      };
    } else if (wanted !== undefined) names[member] = wanted;
  };
  accept('plural', resources);
  accept('singular', resources);
  const clashes = (spec.names.shortNames ?? []).filter(
    (name) => !(names.shortNames ?? []).includes(name) && resources(name),
  );
  if (clashes.length > 0) {
    const texts = clashes.map((name) => `${JSON.stringify(name)} is already in use`);
    conflict = {
      reason: 'ShortNamesConflict',
      message: texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`,
    };
  } else if (spec.names.shortNames !== undefined) names.shortNames = spec.names.shortNames;
  accept('kind', kinds);
  accept('listKind', kinds);
  if (spec.names.categories !== undefined) names.categories = spec.names.categories;
  return { names, conflict };
}

const capitalized = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
