import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';
import { ActionButtons } from '../../actions/action-buttons.tsx';
import { Icon } from '../../design/icon.tsx';
import { inLanguages } from '../../language/language.ts';
import { accessPath, placementPath } from '../../navigation/paths.ts';
import { RollBackButton } from './cause/roll-back.tsx';

const text = inLanguages({ placement: 'Placement', access: 'Access' }, { placement: '调度', access: '权限' });

interface ObjectActionsProps {
  readonly kind: ApiResource;
  readonly object: KubeObject;
  readonly isDeleted: boolean;
}

/** Kinds whose earlier revisions can be restored. */
const rollsOut: ReadonlySet<string> = new Set(['deployments', 'statefulsets', 'daemonsets']);

const accessOf = ({ metadata: { namespace = '', name = '' } }: KubeObject): string =>
  accessPath({ namespace, as: `system:serviceaccount:${namespace}:${name}` });

/** The actions for one object: those of the explorer, and those for single objects. */
export function ObjectActions({ kind, object, isDeleted }: ObjectActionsProps) {
  return isDeleted ? null : (
    <div class="object-actions">
      {kind.group === '' && kind.resource === 'pods' && (
        <a class="button" href={placementPath(object.metadata.namespace, object.metadata.name ?? '')}>
          <Icon name="schedule" size={14} />
          {text().placement}
        </a>
      )}
      {kind.group === '' && kind.resource === 'serviceaccounts' && (
        <a class="button" href={accessOf(object)}>
          <Icon name="access" size={14} />
          {text().access}
        </a>
      )}
      {rollsOut.has(kind.resource) && kind.group === 'apps' && <RollBackButton kind={kind} object={object} />}
      <ActionButtons kind={kind} rows={[object]} onDone={() => {}} />
    </div>
  );
}
