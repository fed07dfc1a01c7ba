/** The object as YAML. It is edited by server-side apply, after a preview of the result by the server. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { useState } from 'preact/hooks';
import { fieldManager, resourceIn } from '../../../cluster/cluster.ts';
import { useMay } from '../../../cluster/permissions.ts';
import { Button } from '../../../controls/button.tsx';
import { lazy } from '../../../controls/lazy-page.tsx';
import { inLanguages } from '../../../language/language.ts';
import { announce } from '../../../controls/announcements.tsx';
import type { ObjectTabProps } from '../object-tab.ts';
import { TextView } from '../../../editor/text-view.tsx';
import { Conflicts } from './conflicts.tsx';
import { conflictsOf, editableYaml, objectOf, shownYaml, type FieldConflict } from './editable-yaml.ts';
import { WrittenYaml } from './written-yaml.tsx';
import './yaml.css';

const text = inLanguages(
  {
    label: 'YAML',
    writers: 'Who wrote each line',
    edit: 'Edit',
    copy: 'Copy',
    copied: 'Copied',
    review: 'Review changes',
    back: 'Continue editing',
    cancel: 'Cancel',
    apply: 'Apply',
    applied: 'Applied',
    nothing: 'Nothing would change. Leaving out a field does not remove it if another manager owns it.',
    reviewing: 'Result on the server',
  },
  {
    label: 'YAML',
    writers: '每行由谁写入',
    edit: '编辑',
    copy: '复制',
    copied: '已复制',
    review: '查看更改',
    back: '继续编辑',
    cancel: '取消',
    apply: '应用',
    applied: '已应用',
    nothing: '服务器不会做任何更改。省略他人拥有的字段并不会删除它们。',
    reviewing: '服务器将如何处理',
  },
);

const Editor = lazy(() => import('../../../editor/code-view.tsx'));

interface Draft {
  readonly text: string;
  readonly problem?: string;
  readonly conflicts?: readonly FieldConflict[];
  /** Whether to take over fields of other managers. */
  readonly force?: boolean;
  /** The result of a dry run, and the state before it. */
  readonly review?: { readonly before: string; readonly after: string };
}

/** The clipboard may be forbidden, and is unavailable on pages served over plain HTTP. */
async function copy(yaml: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(yaml);
    announce('ok', text().copied);
  } catch (failure) {
    announce('bad', messageOf(failure));
  }
}

export default function YamlTab({ kind, namespace, object, isDeleted }: ObjectTabProps) {
  const [draft, setDraft] = useState<Draft | undefined>(undefined);
  const [withWriters, setWithWriters] = useState(false);
  const may = useMay({ verb: 'patch', resource: kind, namespace, name: object.metadata.name ?? '' });
  const whole: KubeObject = { ...object, ...typeOf(object, kind) };
  const resource = resourceIn(kind, namespace);

  const apply = async (dryRun: boolean, force: boolean): Promise<void> => {
    if (draft === undefined) return;
    try {
      const wanted = objectOf(draft.text, whole);
      const answer = await resource.apply(wanted, { fieldManager, force, dryRun, fieldValidation: 'Strict' });
      if (!dryRun) {
        announce('ok', text().applied);
        return setDraft(undefined);
      }
      const review = {
        before: editableYaml(whole),
        after: editableYaml({ ...answer, ...typeOf(answer, kind) }),
      };
      setDraft({ text: draft.text, force, review });
    } catch (failure) {
      const conflicts = conflictsOf(failure);
      setDraft({
        text: draft.text,
        ...(conflicts === undefined ? { problem: messageOf(failure) } : { conflicts }),
      });
    }
  };

  return (
    <div class="yaml">
      <div class="tool-bar" role="toolbar">
        {draft === undefined ? (
          <>
            <label class="check-label">
              <input
                type="checkbox"
                checked={withWriters}
                onChange={({ currentTarget }) => setWithWriters(currentTarget.checked)}
              />
              {text().writers}
            </label>
            <Button icon="copy" kind="quiet" onPress={() => detach(copy(shownYaml(whole)))}>
              {text().copy}
            </Button>
            {!isDeleted && (
              <Button may={may} onPress={() => setDraft({ text: editableYaml(whole) })}>
                {text().edit}
              </Button>
            )}
          </>
        ) : (
          <DraftBar draft={draft} onChange={setDraft} onApply={apply} />
        )}
      </div>
      {draft?.problem !== undefined && (
        <p class="yaml-problem" role="alert">
          {draft.problem}
        </p>
      )}
      {draft?.conflicts !== undefined && (
        <Conflicts conflicts={draft.conflicts} onForce={() => detach(apply(true, true))} />
      )}
      {draft === undefined ? (
        <WrittenYaml object={whole} label={text().label} withWriters={withWriters} />
      ) : draft.review === undefined ? (
        <Editor
          key="edit"
          text={draft.text}
          label={text().label}
          onEdit={(edited) => setDraft({ text: edited })}
        />
      ) : (
        <TextView
          key="review"
          text={draft.review.after}
          before={draft.review.before}
          label={text().reviewing}
        />
      )}
    </div>
  );
}

interface DraftBarProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft | undefined) => void;
  readonly onApply: (dryRun: boolean, force: boolean) => Promise<void>;
}

function DraftBar({ draft, onChange, onApply }: DraftBarProps) {
  const { review, force = false } = draft;
  return (
    <>
      <span class="panel-note tool-note">
        {review !== undefined && (review.before === review.after ? text().nothing : text().reviewing)}
      </span>
      <Button kind="quiet" onPress={() => onChange(undefined)}>
        {text().cancel}
      </Button>
      {review === undefined ? (
        <Button kind="primary" onPress={() => detach(onApply(true, false))}>
          {text().review}
        </Button>
      ) : (
        <>
          <Button onPress={() => onChange({ text: draft.text })}>{text().back}</Button>
          <Button kind="primary" onPress={() => detach(onApply(false, force))}>
            {text().apply}
          </Button>
        </>
      )}
    </>
  );
}

/** Items of lists do not state their API version and kind. */
const typeOf = (
  { apiVersion, kind: kindName }: KubeObject,
  { group, version, kind }: ObjectTabProps['kind'],
): { readonly apiVersion: string; readonly kind: string } => ({
  apiVersion: apiVersion ?? (group === '' ? version : `${group}/${version}`),
  kind: kindName ?? kind,
});
