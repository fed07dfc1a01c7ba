/** An object as YAML, with the writer and time of each line beside it. */

import type { KubeObject } from '@coxswain/apimachinery';
import { blamedLines } from '@coxswain/client/history/blamed-lines.ts';
import type { FieldOwner } from '@coxswain/client/history/field-owners.ts';
import { useMemo } from 'preact/hooks';
import { Ago } from '../../../controls/ago.tsx';
import { clockTime } from '../../../controls/clock-time.ts';
import { TextView } from '../../../editor/text-view.tsx';

interface WrittenYamlProps {
  readonly object: KubeObject;
  readonly label: string;
  readonly withWriters: boolean;
}

export function WrittenYaml({ object, label, withWriters }: WrittenYamlProps) {
  const lines = useMemo(() => blamedLines(object), [object.metadata.resourceVersion]);
  const reported = (line: number): string => lines[line]?.owners.map(ownerText).join('\n') ?? '';
  return (
    <TextView
      text={lines.map((line) => line.text).join('\n')}
      label={label}
      {...(withWriters && {
        // Once for consecutive lines of the same write.
        aside: (line: number) =>
          reported(line) !== reported(line - 1) && (
            <Owners all={reported(line)} owners={lines[line]?.owners ?? []} />
          ),
      })}
    />
  );
}

interface OwnersProps {
  readonly all: string;
  readonly owners: readonly FieldOwner[];
}

const Owners = ({ all, owners: [latest, ...others] }: OwnersProps) =>
  latest === undefined ? null : (
    <span title={all}>
      {latest.manager}
      {others.length > 0 && ` +${others.length}`}
      {latest.timeMs > 0 && (
        <>
          {' · '}
          <Ago time={new Date(latest.timeMs).toISOString()} />
        </>
      )}
    </span>
  );

const ownerText = ({ manager, operation, subresource, timeMs }: FieldOwner): string =>
  [manager, operation, subresource, timeMs > 0 && clockTime(timeMs)].filter(Boolean).join(' · ');
