import { useState } from 'react'
import * as t from '#locale/contacts'
import * as common from '#locale/shared-texts'
import { type Contact, type ContactInput, nameOfContact, useContactActions } from '../../api/contacts.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { AreaField, TextField } from '../../ui/field.tsx'
import { readText } from '../../ui/form-values.ts'
import { useNotify } from '../../ui/toast.tsx'
import {
  BirthdayFields,
  type Labelled,
  LabelledRows,
  PostalAddressRows,
  readAddresses,
  readBirthday,
  readPhones,
  readPostalAddresses,
  readWebsites,
  splitCategories,
  toRows,
} from './contact-fields.tsx'

const LABELS = {
  name: t.name,
  givenName: t.givenName,
  familyName: t.familyName,
  organization: t.organization,
  jobTitle: t.jobTitle,
}
const TEXTS = Object.keys(LABELS) as (keyof typeof LABELS)[]

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
    toRows<Labelled>(
      contact?.addresses.map(({ address, label }) => ({ value: address, label })) ?? [
        { value: '', label: '' },
      ],
    ),
  )
  const [phones, setPhones] = useState(() =>
    toRows<Labelled>(contact?.phones.map(({ number, label }) => ({ value: number, label })) ?? []),
  )
  const [websites, setWebsites] = useState(() =>
    toRows<Labelled>(contact?.websites.map(({ url, label }) => ({ value: url, label })) ?? []),
  )
  const [postalAddresses, setPostalAddresses] = useState(() => toRows(contact?.postalAddresses ?? []))
  const categories = contact?.categories.join(', ') ?? ''
  const [hasMore] = useState(
    contact !== null &&
      [contact.birthday, ...contact.categories, ...contact.websites, ...contact.postalAddresses].some(
        Boolean,
      ),
  )
  const submit = async (values: FormData) => {
    const written = readText(values, 'categories')
    const body: ContactInput = {
      ...Object.fromEntries(TEXTS.map((name) => [name, readText(values, name)])),
      notes: String(values.get('notes') ?? ''),
      birthday: readBirthday(values),
      addresses: readAddresses(values, addresses),
      phones: readPhones(values, phones),
      websites: readWebsites(values, websites),
      postalAddresses: readPostalAddresses(values, postalAddresses),
      // An unchanged category may contain a comma.
      ...(written !== categories && { categories: splitCategories(written) }),
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
      <LabelledRows list="addresses" rows={addresses} onChange={setAddresses} />
      <LabelledRows list="phones" rows={phones} onChange={setPhones} />
      <details className="contact-more" open={hasMore}>
        <summary>{t.moreFields}</summary>
        <div>
          <BirthdayFields birthday={contact?.birthday ?? ''} />
          <PostalAddressRows rows={postalAddresses} onChange={setPostalAddresses} />
          <LabelledRows list="websites" rows={websites} onChange={setWebsites} />
          <TextField
            name="categories"
            label={t.categories}
            hint={t.separateWithCommas}
            defaultValue={categories}
            autoComplete="off"
          />
        </div>
      </details>
      <AreaField name="notes" label={t.notes} defaultValue={contact?.notes ?? ''} maxLength={10_000} />
    </FormDialog>
  )
}
