import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';
import { ActionButtons } from '../../actions/action-buttons.tsx';

interface ObjectActionsProps {
  readonly kind: ApiResource;
  readonly object: KubeObject;
  readonly isDeleted: boolean;
}

/** What can be done with several rows of the explorer can be done with one object. */
export function ObjectActions({ kind, object, isDeleted }: ObjectActionsProps) {
  return isDeleted ? null : (
    <div class="object-actions">
      <ActionButtons kind={kind} rows={[object]} onDone={() => {}} />
    </div>
  );
}
