import { X } from 'lucide-react'
import { Suspense, useId, useState } from 'react'
import * as t from '#locale/mail-templates'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { useRefetch } from '../../../api/use-refetch.ts'
import { AddButton, IconButton } from '../../../ui/button.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Skeleton } from '../../../ui/notice.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { RichTextEditor } from '../../mail/compose/rich-text/lazy.ts'
import type { MailAccount } from './account-form.ts'

type Identity = MailAccount['identities'][number]

interface IdentityFieldsProps {
  identities: readonly Identity[]
  onChange: (identities: Identity[]) => void
}

const IdentityFields = ({ identities, onChange }: IdentityFieldsProps) => {
  const set = (index: number, part: Partial<Identity>): void =>
    onChange(identities.map((identity, at) => (at === index ? { ...identity, ...part } : identity)))
  return (
    <fieldset className="identities">
      <legend className="field-label">{t.identities}</legend>
      {identities.map((identity, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no id, and its address changes while typing
        <div key={index} className="identity">
          <input
            className="input"
            aria-label={t.senderName}
            placeholder={t.senderName}
            maxLength={100}
            value={identity.name}
            onChange={(event) => set(index, { name: event.target.value })}
          />
          <input
            className="input"
            type="email"
            aria-label={t.senderAddress}
            placeholder={t.senderAddress}
            maxLength={254}
            required
            value={identity.address}
            onChange={(event) => set(index, { address: event.target.value })}
          />
          <IconButton
            icon={X}
            label={t.removeIdentity(identity.address)}
            onClick={() => onChange(identities.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <div>
        <AddButton
          disabled={identities.length >= 50}
          onClick={() => onChange([...identities, { name: '', address: '' }])}
        >
          {t.addIdentity}
        </AddButton>
      </div>
      <p className="field-hint">{t.identitiesHint}</p>
    </fieldset>
  )
}

/** Edits what the composer uses of an account: signature, further senders and the preferred format. */
export const WritingDialog = ({ account, onClose }: { account: MailAccount; onClose: () => void }) => {
  const client = useClient()
  const changed = useRefetch(['mail-accounts'])
  const notify = useNotify()
  const plainTextId = useId()
  const [signature, setSignature] = useState(account.signature ?? '')
  const [identities, setIdentities] = useState<Identity[]>(account.identities)
  const [plainText, setPlainText] = useState(account.plainText)
  const save = async (): Promise<void> => {
    await unwrap(
      client.PATCH('/api/settings/mail-accounts/{id}', {
        params: { path: { id: account.id } },
        body: {
          signature: signature === '' ? null : signature,
          identities: identities.map(({ name, address }) => ({ name: name.trim(), address: address.trim() })),
          plainText,
        },
      }),
    )
    await changed()
    notify(t.saved(account.name))
    onClose()
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      size="large"
      persistent
      title={t.writingTitle(account.name)}
      action={t.save}
      savedAs={null}
      onSubmit={save}
    >
      <div className="signature-field">
        <p className="field-label">{t.signature}</p>
        <Suspense fallback={<Skeleton lines={4} />}>
          <RichTextEditor
            label={t.signature}
            value={signature}
            onChange={setSignature}
            loadImage={async (src) => (src.startsWith('data:') ? src : null)}
          />
        </Suspense>
        <p className="field-hint">{t.signatureHint}</p>
      </div>
      <IdentityFields identities={identities} onChange={setIdentities} />
      <label className="check" htmlFor={plainTextId}>
        <input
          id={plainTextId}
          type="checkbox"
          checked={plainText}
          onChange={(event) => setPlainText(event.target.checked)}
        />
        {t.startsAsPlainText}
      </label>
    </FormDialog>
  )
}
