import { memo } from 'preact/compat';
import { listedKinds } from '../../cluster/kinds.ts';
import type { ListedRow } from '../../cluster/table-source.ts';
import { ElidedName } from '../../controls/elided-name.tsx';
import { isNarrow } from '../../design/narrow.ts';
import { Ago } from '../../controls/ago.tsx';
import { Dot } from '../../controls/tone.tsx';
import { inLanguages } from '../../language/language.ts';
import { objectPath } from '../../navigation/paths.ts';
import type { ShownColumn } from './columns.ts';
import { toneOfCell } from './cell-tone.ts';

const text = inLanguages({ select: 'Select' }, { select: '选择' });

interface ObjectRowProps {
  readonly row: ListedRow;
  readonly columns: readonly ShownColumn[];
  readonly path: string;
  readonly index: number;
  readonly isSelected: boolean;
  readonly isCursor: boolean;
  readonly onToggle: (uid: string) => void;
}

export const ObjectRow = memo(
  function ObjectRow({ row, columns, path, index, isSelected, isCursor, onToggle }: ObjectRowProps) {
    const { uid = '', name = '' } = row.metadata;
    return (
      <div
        class="object-row"
        role="row"
        aria-rowindex={index}
        aria-selected={isSelected}
        data-cursor={isCursor ? true : undefined}
      >
        <span role="gridcell">
          <input
            type="checkbox"
            aria-label={`${text().select} ${name}`}
            checked={isSelected}
            onChange={() => onToggle(uid)}
          />
        </span>
        {columns.map((column) => (
          <span key={column.id} role="gridcell" data-kind={column.kind}>
            <Cell row={row} column={column} path={path} />
          </span>
        ))}
      </div>
    );
  },
  // The path formatter and the toggle function are new on each rendering, but equivalent.
  (before, after) =>
    before.row === after.row &&
    before.columns === after.columns &&
    before.index === after.index &&
    before.isSelected === after.isSelected &&
    before.isCursor === after.isCursor,
);

function Cell({
  row,
  column,
  path,
}: Pick<ObjectRowProps, 'row' | 'path'> & { readonly column: ShownColumn }) {
  const content = column.textOf(row);
  if (column.kind === 'name')
    return (
      <a href={path} title={content}>
        {content.length > (isNarrow.value ? 18 : 40) ? <ElidedName name={content} /> : content}
      </a>
    );
  const about = column.kind === 'about' ? aboutPath(content, row.metadata.namespace) : undefined;
  if (about !== undefined)
    return (
      <a class="link truncated" href={about} title={content}>
        {content}
      </a>
    );
  if (column.kind === 'age' && row.metadata.creationTimestamp !== undefined)
    return <Ago time={row.metadata.creationTimestamp} />;
  const tone = column.kind === 'state' ? toneOfCell(content, column.qualifiedBy?.(row)) : undefined;
  return (
    <span class="truncated" title={content}>
      {tone !== undefined && <Dot tone={tone} />}
      {content}
    </span>
  );
}

/** The address of an event's object, `pod/web`; undefined if the server serves no such kind. */
function aboutPath(content: string, namespace: string | undefined): string | undefined {
  const [kind = '', name = ''] = content.split('/');
  const resource = listedKinds.value.find((one) => one.kind.toLowerCase() === kind);
  return resource && objectPath(resource, resource.namespaced ? namespace : undefined, name);
}
