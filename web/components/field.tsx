/** One input with its label, its hint and what is wrong with it. */
import type { FC } from 'hono/jsx';

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly error?: string | undefined;
  readonly hint?: string;
  readonly type?: string;
  readonly required?: boolean;
  readonly autocomplete?: string;
  readonly inputmode?: 'text' | 'tel' | 'url' | 'email' | 'numeric';
  readonly placeholder?: string;
  readonly maxlength?: number;
}

export const Field: FC<FieldProps> = ({ name, label, value, error, hint, required = false, ...rest }) => {
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return (
    <div>
      <label for={name}>
        {label} {!required && <span class="optional">(optional)</span>}
      </label>
      <input
        id={name}
        name={name}
        value={value ?? ''}
        required={required}
        {...(described ? { 'aria-describedby': described } : {})}
        {...(error ? { 'aria-invalid': 'true' } : {})}
        {...rest}
      />
      {error && (
        <span class="field-error" id={`${name}-error`}>
          {error}
        </span>
      )}
      {hint && <small id={`${name}-hint`}>{hint}</small>}
    </div>
  );
};
