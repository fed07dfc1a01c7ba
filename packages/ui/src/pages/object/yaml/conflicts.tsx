import { Button } from '../../../controls/button.tsx';
import { inLanguages } from '../../../language/language.ts';
import type { FieldConflict } from './editable-yaml.ts';

const text = inLanguages(
  {
    title: 'Other managers own fields that you changed',
    why: 'If you take them over, their managers see a conflict when they next apply, or set them back. If the manager is a controller (such as an autoscaler), it will do so soon.',
    take: 'Take over the fields',
    owns: 'is owned by',
  },
  {
    title: '你修改的字段由他人拥有',
    why: '如果接管这些字段，其管理者下次应用时会遇到冲突，或将其改回。如果管理者是控制器（例如自动伸缩器），很快就会发生。',
    take: '接管这些字段',
    owns: '的拥有者是',
  },
);

interface ConflictsProps {
  readonly conflicts: readonly FieldConflict[];
  readonly onForce: () => void;
}

export const Conflicts = ({ conflicts, onForce }: ConflictsProps) => (
  <section class="conflicts" role="alert">
    <strong>{text().title}</strong>
    <ul>
      {conflicts.map(({ field, manager }) => (
        <li key={`${field} ${manager}`}>
          <code>{field}</code> {text().owns} <code>{manager}</code>
        </li>
      ))}
    </ul>
    <p>{text().why}</p>
    <Button kind="danger" onPress={onForce}>
      {text().take}
    </Button>
  </section>
);
