import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { inLanguages } from '../language/language.ts';
import { Button } from './button.tsx';

const text = inLanguages({ close: 'Close' }, { close: '关闭' });

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** The dialog's buttons, the confirming one last. */
  readonly foot?: ComponentChildren;
  readonly wide?: boolean;
}

/** Modal while it is rendered. Escape or a click outside closes it. Typing goes to its first input. */
export function Dialog({ title, onClose, children, foot, wide }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
    element.current?.querySelector<HTMLElement>('.dialog-body input')?.focus();
  }, []);
  return (
    <dialog
      ref={element}
      class="dialog"
      data-wide={wide ? true : undefined}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => event.target === element.current && onClose()}
    >
      <div class="dialog-head">
        <h1>{title}</h1>
        <Button kind="quiet" icon="close" label={text().close} onPress={onClose} />
      </div>
      <div class="dialog-body">{children}</div>
      {foot !== undefined && <div class="dialog-foot">{foot}</div>}
    </dialog>
  );
}
