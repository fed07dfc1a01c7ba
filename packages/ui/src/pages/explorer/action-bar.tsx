import type { ApiResource } from '@coxswain/client';
import { ActionButtons } from '../../actions/action-buttons.tsx';
import type { ListedRow } from '../../cluster/table-source.ts';
import { Button } from '../../controls/button.tsx';
import { inLanguages } from '../../language/language.ts';
import { logsPath } from '../../navigation/paths.ts';
import { go } from '../../navigation/route.ts';
import type { Selection } from './selection.ts';

const text = inLanguages(
  { selected: (count: number) => `${count} selected`, clear: 'Clear', actions: 'Actions', logs: 'Logs' },
  { selected: (count: number) => `已选 ${count} 个`, clear: '清除', actions: '操作', logs: '日志' },
);

interface ActionBarProps {
  readonly kind: ApiResource;
  readonly rows: ReadonlyMap<string, ListedRow>;
  readonly selected: Selection;
}

/** Shown below the rows while some are selected. */
export function ActionBar({ kind, rows, selected }: ActionBarProps) {
  const chosen = [...selected.uids].flatMap((uid) => rows.get(uid) ?? []);
  if (chosen.length === 0) return null;
  return (
    <div class="action-bar" role="toolbar" aria-label={text().actions}>
      <span>{text().selected(chosen.length)}</span>
      {kind.group === '' && kind.resource === 'pods' && (
        <Button icon="terminal" onPress={() => go(logsPath(chosen.map(({ metadata }) => metadata)))}>
          {text().logs}
        </Button>
      )}
      <ActionButtons kind={kind} rows={chosen} onDone={selected.clear} />
      <Button kind="quiet" onPress={selected.clear}>
        {text().clear}
      </Button>
    </div>
  );
}
