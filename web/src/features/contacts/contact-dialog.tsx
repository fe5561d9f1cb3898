import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/contacts'
import * as common from '#locale/shared-texts'
import { type Contact, type ContactInput, nameOfContact, useContactActions } from '../../api/contacts.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { AreaField, TextField } from '../../ui/field.tsx'
import { useNotify } from '../../ui/toast.tsx'

const LABELS = {
  name: t.name,
  givenName: t.givenName,
  familyName: t.familyName,
  organization: t.organization,
  jobTitle: t.jobTitle,
}
const TEXTS = Object.keys(LABELS) as (keyof typeof LABELS)[]

interface Entry {
  /** Stable while rows are added and removed. */
  key: number
  value: string
  label: string
}

const toEntries = (values: readonly { value: string; label: string }[]): Entry[] =>
  values.map((each, key) => ({ ...each, key }))

interface EntriesProps {
  kind: 'addresses' | 'phones'
  entries: readonly Entry[]
  onChange: (entries: Entry[]) => void
}

const FIELD = { addresses: 'address', phones: 'number' } as const

/** Rows of a value and its label. The names of the inputs are the paths of errors of the API. */
const Entries = ({ kind, entries, onChange }: EntriesProps) => {
  const field = kind === 'addresses' ? t.email : t.phone
  const add = () => onChange([...entries, { key: Date.now(), value: '', label: '' }])
  return (
    <div className="contact-entries">
      {entries.map(({ key, value, label }, index) => {
        const named = t.numbered({ field, index: index + 1 })
        return (
          <div key={key} className="contact-entry">
            <TextField
              name={`${kind}.${index}.${FIELD[kind]}`}
              label={entries.length > 1 ? named : field}
              type={kind === 'addresses' ? 'email' : 'tel'}
              defaultValue={value}
              maxLength={kind === 'addresses' ? 254 : 50}
              autoComplete="off"
            />
            <TextField
              name={`${kind}.${index}.label`}
              label={t.label}
              defaultValue={label}
              placeholder={t.labelExample}
              maxLength={50}
              autoComplete="off"
            />
            <Button
              kind="quiet"
              shape="icon"
              size="small"
              aria-label={t.removeField(named)}
              onClick={() => onChange(entries.filter((entry) => entry.key !== key))}
            >
              <X size={17} aria-hidden="true" />
            </Button>
          </div>
        )
      })}
      <Button size="small" kind="quiet" onClick={add}>
        <Plus size={16} aria-hidden="true" />
        {kind === 'addresses' ? t.addAddress : t.addPhone}
      </Button>
    </div>
  )
}

/** Reads the rows of the form. Empty ones are left out. */
const readEntries = (values: FormData, kind: EntriesProps['kind'], count: number) =>
  Array.from({ length: count }, (_, index) => ({
    value: String(values.get(`${kind}.${index}.${FIELD[kind]}`) ?? '').trim(),
    label: String(values.get(`${kind}.${index}.label`) ?? '').trim(),
  })).filter(({ value }) => value !== '')

interface ContactDialogProps {
  open: boolean
  /** Null creates a contact. */
  contact: Contact | null
  etag?: string | null
  onClose: () => void
  onSaved?: (contact: Contact) => void
}

export const ContactDialog = (props: ContactDialogProps) =>
  // A closed dialog has no state, so that it opens with the saved values.
  props.open ? <OpenContactDialog {...props} /> : null

const OpenContactDialog = ({ contact, etag = null, onClose, onSaved }: ContactDialogProps) => {
  const { create, change } = useContactActions()
  const notify = useNotify()
  const [addresses, setAddresses] = useState(() =>
    toEntries(
      contact?.addresses.map(({ address, label }) => ({ value: address, label })) ?? [
        { value: '', label: '' },
      ],
    ),
  )
  const [phones, setPhones] = useState(() =>
    toEntries(contact?.phones.map(({ number, label }) => ({ value: number, label })) ?? []),
  )
  const submit = async (values: FormData) => {
    const body: ContactInput = {
      ...Object.fromEntries(TEXTS.map((name) => [name, String(values.get(name) ?? '').trim()])),
      notes: String(values.get('notes') ?? ''),
      addresses: readEntries(values, 'addresses', addresses.length).map(({ value, label }) => ({
        address: value,
        label,
      })),
      phones: readEntries(values, 'phones', phones.length).map(({ value, label }) => ({
        number: value,
        label,
      })),
    }
    const saved = contact ? await change(contact.id, body, etag) : await create(body)
    onClose()
    const name = nameOfContact(saved)
    notify(contact ? t.contactSaved(name) : t.contactAdded(name))
    onSaved?.(saved)
  }
  const renderText = (name: keyof typeof LABELS) => (
    <TextField
      name={name}
      label={LABELS[name]}
      defaultValue={contact?.[name] ?? ''}
      maxLength={200}
      autoComplete="off"
    />
  )
  return (
    <FormDialog
      open
      onClose={onClose}
      title={contact ? t.editContact : t.newContact}
      action={contact ? common.save : t.addContact}
      savedAs={null}
      onSubmit={submit}
    >
      {renderText('name')}
      <div className="contact-names">
        {renderText('givenName')}
        {renderText('familyName')}
        {renderText('organization')}
        {renderText('jobTitle')}
      </div>
      <Entries kind="addresses" entries={addresses} onChange={setAddresses} />
      <Entries kind="phones" entries={phones} onChange={setPhones} />
      <AreaField name="notes" label={t.notes} defaultValue={contact?.notes ?? ''} maxLength={10_000} />
    </FormDialog>
  )
}
