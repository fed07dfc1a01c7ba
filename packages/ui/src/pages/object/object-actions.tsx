import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';
import { ActionButtons } from '../../actions/action-buttons.tsx';
import { Icon } from '../../design/icon.tsx';
import { inLanguages } from '../../language/language.ts';
import { objectPath, placementPath } from '../../navigation/paths.ts';

const text = inLanguages({ placement: 'Placement', back: 'Roll back' }, { placement: '调度', back: '回滚' });

interface ObjectActionsProps {
  readonly kind: ApiResource;
  readonly object: KubeObject;
  readonly isDeleted: boolean;
}

/** Each revision of them is a way back. */
const rollsOut: ReadonlySet<string> = new Set(['deployments', 'statefulsets', 'daemonsets']);

/** What can be done with several rows of the explorer can be done with one object. */
export function ObjectActions({ kind, object, isDeleted }: ObjectActionsProps) {
  return isDeleted ? null : (
    <div class="object-actions">
      {kind.group === '' && kind.resource === 'pods' && (
        <a class="button" href={placementPath(object.metadata.namespace, object.metadata.name ?? '')}>
          <Icon name="schedule" size={14} />
          {text().placement}
        </a>
      )}
      {rollsOut.has(kind.resource) && kind.group === 'apps' && (
        <a
          class="button"
          href={objectPath(kind, object.metadata.namespace, object.metadata.name ?? '', 'history')}
        >
          <Icon name="undo" size={14} />
          {text().back}
        </a>
      )}
      <ActionButtons kind={kind} rows={[object]} onDone={() => {}} />
    </div>
  );
}
