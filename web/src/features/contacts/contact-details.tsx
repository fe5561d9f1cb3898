import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, Download, Mail, Merge, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import * as t from '#locale/contacts'
import * as common from '#locale/shared-texts'
import type { Versioned } from '../../api/client.ts'
import { type Contact, contactQuery, nameOfContact, useContactActions } from '../../api/contacts.ts'
import { useClient } from '../../api/context.tsx'
import { usePageSubject } from '../../shell/page-subject.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Tag } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Time } from '../../ui/time.tsx'
import { useAttempt } from '../../ui/use-attempt.ts'
import { useFormatLocale } from '../../ui/use-format-locale.ts'
import { useUndoableDelete } from '../../ui/use-undoable-delete.ts'
import { ContactActivity } from './contact-activity.tsx'
import { ContactDialog } from './contact-dialog.tsx'
import { MergeDialog } from './merge-dialog.tsx'

type PostalAddress = Contact['postalAddresses'][number]

/** The composer reads the recipient from the history state. */
const composerState = (contact: Contact, address: string) => ({
  newEmailTo: { name: contact.name, address },
})

const Addresses = ({ contact }: { contact: Contact }) =>
  contact.addresses.length > 0 && (
    <Card id="contact-addresses" title={t.addresses}>
      <ul className="rows">
        {contact.addresses.map(({ address, label, sent, received, lastUsedAt }) => (
          <li key={address}>
            <div className="row-main">
              <p className="row-title contact-address">
                <Link
                  className="row-words"
                  href="/mail/inbox/new"
                  state={composerState(contact, address)}
                  aria-label={t.writeToAddress(address)}
                >
                  {address}
                </Link>
                {label !== '' && <Tag>{label}</Tag>}
              </p>
              <p className="row-notes">
                <span>{sent + received === 0 ? t.neverUsed : t.usage({ sent, received })}</span>
                {lastUsedAt !== null && (
                  <span>
                    <Time at={lastUsedAt} />
                  </span>
                )}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )

const Phones = ({ phones }: Pick<Contact, 'phones'>) =>
  phones.length > 0 && (
    <Card id="contact-phones" title={t.phones}>
      <ul className="rows">
        {phones.map(({ number, label }) => (
          <li key={number}>
            <p className="row-title contact-address">
              <a className="row-words" href={`tel:${number.replace(/[^\d+]/g, '')}`}>
                {number}
              </a>
              {label !== '' && <Tag>{label}</Tag>}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )

const Websites = ({ websites }: Pick<Contact, 'websites'>) =>
  websites.length > 0 && (
    <Card id="contact-websites" title={t.websites}>
      <ul className="rows">
        {websites.map(({ url, label }) => (
          <li key={url}>
            <p className="row-title contact-address">
              <a className="row-words" href={url} target="_blank" rel="noreferrer noopener">
                {url.replace(/^https?:\/\/|\/$/g, '')}
              </a>
              {label !== '' && <Tag>{label}</Tag>}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )

/** The order of the lines depends on the country, which is text. This one is common in Europe. */
const formatAddress = ({ street, postalCode, city, region, country }: PostalAddress): string =>
  [street, [postalCode, city].filter(Boolean).join(' '), region, country].filter(Boolean).join('\n')

const PostalAddresses = ({ postalAddresses }: Pick<Contact, 'postalAddresses'>) =>
  postalAddresses.length > 0 && (
    <Card id="contact-postal-addresses" title={t.postalAddresses}>
      <ul className="rows">
        {postalAddresses.map((address) => (
          <li key={JSON.stringify(address)}>
            <p className="row-title contact-address">
              <span className="contact-notes">{formatAddress(address)}</span>
              {address.label !== '' && <Tag>{address.label}</Tag>}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )

/** A birthday without a year is shown without it. */
const formatBirthday = (birthday: string, locale: string): string => {
  const hasYear = !birthday.startsWith('-')
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    ...(hasYear && { year: 'numeric' }),
    timeZone: 'UTC',
    // 2000 is a leap year.
  }).format(new Date(`${hasYear ? birthday : `2000${birthday.slice(1)}`}T00:00:00Z`))
}

interface ContactDetailsProps {
  id: number
  listHref: string
  onLeave: () => void
}

/** The page of a person: addresses, and their mail, meetings and tasks. */
export const ContactDetails = (props: ContactDetailsProps) => {
  const query = useQuery(contactQuery(useClient(), props.id))
  return (
    <Loaded query={query} lines={6}>
      {(contact) => <Details {...props} contact={contact} />}
    </Loaded>
  )
}

const Details = ({ contact, listHref, onLeave }: ContactDetailsProps & { contact: Versioned<Contact> }) => {
  const { value, etag } = contact
  const [dialog, setDialog] = useState<'edit' | 'merge' | null>(null)
  const actions = useContactActions()
  const attempt = useAttempt()
  const locale = useFormatLocale()
  const deleteUndoably = useUndoableDelete()
  const name = nameOfContact(value)
  usePageSubject({ type: 'contact', id: value.id, title: name })
  const [primary] = value.addresses
  const close = () => setDialog(null)

  const remove = () => {
    deleteUndoably({
      kind: 'contact',
      target: value.id,
      toastText: t.contactDeleted(name),
      undoneText: t.contactRestored(name),
      send: (isUnloading) => actions.remove(value.id, isUnloading),
    })
    onLeave()
  }
  const exportOne = () =>
    attempt(async () => {
      saveFile(await actions.exportOne(value.id), `${name.replace(/[^\p{L}\p{N} ._-]/gu, '')}.vcf`)
    })
  return (
    <article className="contact" aria-label={name}>
      <Link href={listHref} className="contact-back">
        <ChevronLeft size={18} aria-hidden="true" />
        {t.backToList}
      </Link>
      <header className="contact-head">
        <Avatar name={name} avatarUrl={null} size="large" />
        <div className="contact-title">
          <h2>{name}</h2>
          <p className="quiet">
            {[value.jobTitle, value.name === '' ? '' : value.organization].filter(Boolean).join(', ')}
          </p>
          {value.birthday !== '' && (
            <p className="quiet">{t.bornOn(formatBirthday(value.birthday, locale))}</p>
          )}
          {!value.isKnown && <Tag>{t.notSaved}</Tag>}
          {value.categories.map((category) => (
            <Tag key={category}>{category}</Tag>
          ))}
        </div>
        <div className="contact-actions">
          {primary && (
            <Link
              className="button"
              data-kind="primary"
              href="/mail/inbox/new"
              state={composerState(value, primary.address)}
            >
              <Mail size={18} aria-hidden="true" />
              {t.writeTo}
            </Link>
          )}
          <Button onClick={() => setDialog('edit')}>
            <Pencil size={17} aria-hidden="true" />
            {common.edit}
          </Button>
          <RowMenu
            label={t.actionsFor(name)}
            actions={[
              { label: t.merge, icon: Merge, onSelect: () => setDialog('merge') },
              { label: t.exportOne, icon: Download, onSelect: () => void exportOne() },
              { label: common.remove, icon: Trash2, onSelect: remove },
            ]}
          />
        </div>
      </header>
      <Addresses contact={value} />
      <Phones phones={value.phones} />
      <PostalAddresses postalAddresses={value.postalAddresses} />
      <Websites websites={value.websites} />
      {value.notes !== '' && (
        <Card id="contact-notes" title={t.notes}>
          <p className="contact-notes">{value.notes}</p>
        </Card>
      )}
      {value.addresses.length > 0 && <ContactActivity contact={value} />}
      <ContactDialog open={dialog === 'edit'} contact={value} etag={etag} onClose={close} />
      <MergeDialog open={dialog === 'merge'} contact={value} onClose={close} />
    </article>
  )
}
