import type { ComponentChildren } from 'preact';
import type { Permission } from '../cluster/permissions.ts';
import { Icon, type IconName } from '../design/icon.tsx';
import { inLanguages } from '../language/language.ts';

const text = inLanguages(
  {
    denied: (reason: string) => `You may not do this${reason === '' ? '' : `: ${reason}`}`,
    asking: 'Checking your permissions',
  },
  {
    denied: (reason: string) => `你无权执行此操作${reason === '' ? '' : `：${reason}`}`,
    asking: '正在查询你的权限',
  },
);

interface ButtonProps {
  readonly onPress: () => void;
  readonly children?: ComponentChildren;
  readonly icon?: IconName;
  readonly kind?: 'primary' | 'danger' | 'quiet';
  /** Describes the action if the button shows only an icon. */
  readonly label?: string;
  /** The user's permission for the action; without one, the button is enabled for everybody. */
  readonly may?: Permission;
  /** Why the button can't be pressed now. */
  readonly unless?: string | undefined;
}

/** A button that is disabled says why, and remains focusable so that keyboard users can read it. */
export function Button({ onPress, children, icon, kind, label, may, unless }: ButtonProps) {
  const why = unless ?? whyNot(may);
  return (
    <button
      type="button"
      class="button"
      data-kind={kind}
      data-square={children === undefined ? true : undefined}
      aria-label={label}
      aria-disabled={why === undefined ? undefined : 'true'}
      title={why ?? label}
      onClick={() => why === undefined && onPress()}
    >
      {icon && <Icon name={icon} size={14} />}
      {children}
    </button>
  );
}

function whyNot(may: Permission | undefined): string | undefined {
  if (may === undefined || may.answer === 'allowed') return undefined;
  return may.answer === 'denied' ? text().denied(may.reason) : text().asking;
}
