import { IconAlertTriangle, IconSignature } from '@tabler/icons-react';
import { type FormEvent, useId, useState } from 'react';
import { WriteButton } from '../../components/writing.tsx';
import { lastSigner } from '../../state/signer.ts';
import frame from './close.module.css';
import styles from './sign-off.module.css';
import { type SignKind, useSign } from './use-sign.ts';

interface SignatureFormProps {
  readonly kind: SignKind;
  readonly button: string;
  /** Of the reason, where one is wanted. */
  readonly reasonLabel?: string;
  /** What speaks against signing, though it does not hinder it. */
  readonly doubt?: string | null;
  readonly isNext?: boolean;
  /** Who probably signs, where nobody has in this window. */
  readonly suggested?: string | null;
}

/** Name and button of a signature; why it is refused stands below the button. */
export function SignatureForm({ kind, button, reasonLabel, doubt, isNext, suggested }: SignatureFormProps) {
  const [by, setBy] = useState(() => lastSigner(kind) || (suggested ?? ''));
  const [reason, setReason] = useState('');
  const { sign, failure, isRunning } = useSign(kind);
  const whyId = useId();
  const isReady = by.trim() !== '' && (reasonLabel === undefined || /\p{L}/u.test(reason));
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isReady) void sign(by.trim(), reason.trim());
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <label>
        <span>Your name</span>
        <input
          value={by}
          maxLength={200}
          autoComplete="name"
          onChange={(event) => setBy(event.currentTarget.value)}
          data-sign-next={isNext || undefined}
          data-testid={`${kind}-name`}
        />
      </label>
      {reasonLabel !== undefined && (
        <label>
          <span>{reasonLabel}</span>
          <textarea
            rows={2}
            value={reason}
            maxLength={1000}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-testid={`${kind}-reason`}
          />
        </label>
      )}
      <WriteButton
        type="submit"
        variant={doubt === undefined || doubt === null ? 'filled' : 'default'}
        className={frame.button}
        leftSection={<IconSignature size={16} aria-hidden />}
        loading={isRunning}
        disabled={!isReady}
        aria-describedby={failure === null ? undefined : whyId}
        data-testid={`sign-${kind}`}
      >
        {button}
      </WriteButton>
      {failure !== null && (
        <p id={whyId} className={styles.refused} role="alert" data-testid={`refused-${kind}`}>
          <IconAlertTriangle size={14} aria-hidden />
          <span>{failure.message}</span>
        </p>
      )}
      {failure === null && doubt !== undefined && doubt !== null && (
        <p className={styles.why}>
          <IconAlertTriangle size={14} aria-hidden />
          <span>{doubt}</span>
        </p>
      )}
    </form>
  );
}
