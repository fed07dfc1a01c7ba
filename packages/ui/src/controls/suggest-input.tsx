/** A text field that suggests completions. */

import { useId, useRef, useState } from 'preact/hooks';
import './suggest-input.css';

export interface Suggestion {
  /** The whole text after choosing the suggestion. */
  readonly value: string;
  /** Displayed beside the suggestion: a count, or what it means. */
  readonly note?: string;
}

interface SuggestInputProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  /** Called when the text is committed: by Enter, by choosing a suggestion, or when the field loses focus. */
  readonly onChange: (value: string) => void;
  readonly suggestionsFor: (text: string) => readonly Suggestion[];
  /** Describes what is wrong with the text. */
  readonly problemOf?: (text: string) => string | undefined;
}

const shownMax = 12;

export function SuggestInput(props: SuggestInputProps) {
  const { label, placeholder, value, onChange, suggestionsFor, problemOf } = props;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [chosen, setChosen] = useState(-1);
  const text = typed ?? value;
  const suggestions = typed === undefined ? [] : suggestionsFor(text).slice(0, shownMax);
  const problem = problemOf?.(text);
  const finish = (result: string): void => {
    setTyped(undefined);
    setChosen(-1);
    if (problemOf?.(result) === undefined) onChange(result);
  };
  const choose = (suggestion: Suggestion): void => {
    setChosen(-1);
    // More text may follow: `app in (`, `spec.nodeName=`
    if (/[=,(]$/.test(suggestion.value)) return setTyped(suggestion.value);
    finish(suggestion.value);
  };
  const take = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const suggestion = suggestions[chosen];
    if (step !== 0 && suggestions.length > 0)
      setChosen((chosen + step + suggestions.length) % suggestions.length);
    else if (event.key === 'Enter') {
      if (suggestion === undefined) finish(text);
      else choose(suggestion);
    } else if (event.key === 'Escape') {
      setTyped(undefined);
      field.current?.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="suggest">
      <input
        ref={field}
        class="input"
        role="combobox"
        aria-label={label}
        aria-expanded={suggestions.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={chosen < 0 ? undefined : `${id}-${chosen}`}
        aria-invalid={problem !== undefined}
        title={problem}
        placeholder={placeholder}
        spellcheck={false}
        autocomplete="off"
        value={text}
        onFocus={() => setTyped(value)}
        onBlur={() => typed !== undefined && finish(text)}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setChosen(-1);
        }}
        onKeyDown={take}
      />
      {suggestions.length > 0 && (
        <ul id={`${id}-list`} class="suggest-list" role="listbox" aria-label={label}>
          {suggestions.map((suggestion, index) => (
            <li
              key={suggestion.value}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen}
              // Chooses before the field loses focus.
              onMouseDown={(event) => {
                event.preventDefault();
                choose(suggestion);
              }}
            >
              <span class="truncated">{suggestion.value}</span>
              <span class="suggest-note">{suggestion.note}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
