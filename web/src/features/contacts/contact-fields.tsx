import { X } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/contacts'
import type { Contact } from '../../api/contacts.ts'
import { AddButton, IconButton } from '../../ui/button.tsx'
import { AreaField, SelectField, TextField } from '../../ui/field.tsx'
import { readText } from '../../ui/form-values.ts'
import { useFormatLocale } from '../../ui/use-format-locale.ts'

type Phone = Contact['phones'][number]
type Website = Contact['websites'][number]
type PostalAddress = Contact['postalAddresses'][number]

/** A row of a list. The key is stable while rows are added and removed. */
export interface Row<V> {
  key: number
  value: V
}

export const toRows = <V,>(values: readonly V[]): Row<V>[] => values.map((value, key) => ({ key, value }))

interface RowsProps<V> {
  rows: readonly Row<V>[]
  onChange: (rows: Row<V>[]) => void
}

const RemoveButton = ({ named, onRemove }: { named: string; onRemove: () => void }) => (
  <IconButton icon={X} label={t.removeField(named)} onClick={onRemove} />
)

const LabelField = ({ name, value }: { name: string; value: string }) => (
  <TextField
    name={`${name}.label`}
    label={t.label}
    defaultValue={value}
    placeholder={t.labelExample}
    maxLength={50}
    autoComplete="off"
  />
)

/** Lists of a value with a label, and their inputs. */
const LISTS = {
  addresses: { value: 'address', type: 'email', maxLength: 254, field: t.email, add: t.addAddress },
  phones: { value: 'number', type: 'tel', maxLength: 50, field: t.phone, add: t.addPhone },
  websites: { value: 'url', type: 'text', maxLength: 2000, field: t.website, add: t.addWebsite },
} as const

export type Labelled = { value: string; label: string }
type List = keyof typeof LISTS

const numbered = (field: string, index: number, { length }: { length: number }): string =>
  length > 1 ? t.numbered({ field, index: index + 1 }) : field

/** Rows of a value and its label. The names of the inputs are the paths of errors of the API. */
export const LabelledRows = ({ list, rows, onChange }: RowsProps<Labelled> & { list: List }) => {
  const { value: name, type, maxLength, field, add } = LISTS[list]
  return (
    <div className="contact-entries">
      {rows.map(({ key, value: { value, label } }, index) => (
        <div key={key} className="contact-entry">
          <TextField
            name={`${list}.${index}.${name}`}
            label={numbered(field, index, rows)}
            type={type}
            defaultValue={value}
            maxLength={maxLength}
            autoComplete="off"
          />
          <LabelField name={`${list}.${index}`} value={label} />
          <RemoveButton
            named={numbered(field, index, rows)}
            onRemove={() => onChange(rows.filter((row) => row.key !== key))}
          />
        </div>
      ))}
      <AddButton
        kind="quiet"
        onClick={() => onChange([...rows, { key: Date.now(), value: { value: '', label: '' } }])}
      >
        {add}
      </AddButton>
    </div>
  )
}

/** Reads the rows of the form. Empty ones are left out. */
const readLabelled = (values: FormData, list: List, { length }: readonly unknown[]): Labelled[] =>
  Array.from({ length }, (_, index) => ({
    value: readText(values, `${list}.${index}.${LISTS[list].value}`),
    label: readText(values, `${list}.${index}.label`),
  })).filter(({ value }) => value !== '')

export const readAddresses = (values: FormData, rows: readonly unknown[]) =>
  readLabelled(values, 'addresses', rows).map(({ value, label }) => ({ address: value, label }))

export const readPhones = (values: FormData, rows: readonly unknown[]): Phone[] =>
  readLabelled(values, 'phones', rows).map(({ value, label }) => ({ number: value, label }))

/** People type addresses of pages without the scheme. */
export const readWebsites = (values: FormData, rows: readonly unknown[]): Website[] =>
  readLabelled(values, 'websites', rows).map(({ value, label }) => ({
    url: /^https?:\/\//i.test(value) ? value : `https://${value}`,
    label,
  }))

export const NO_POSTAL_ADDRESS: PostalAddress = {
  label: '',
  street: '',
  city: '',
  region: '',
  postalCode: '',
  country: '',
}

const PLACES = { postalCode: t.postalCode, city: t.city, region: t.region, country: t.country }
const PLACE_NAMES = Object.keys(PLACES) as (keyof typeof PLACES)[]

export const PostalAddressRows = ({ rows, onChange }: RowsProps<PostalAddress>) => (
  <div className="contact-entries">
    {rows.map(({ key, value }, index) => {
      const path = `postalAddresses.${index}`
      const named = numbered(t.postalAddress, index, rows)
      return (
        <fieldset key={key} className="contact-postal">
          <legend>{named}</legend>
          <AreaField
            name={`${path}.street`}
            label={t.street}
            rows={2}
            defaultValue={value.street}
            maxLength={500}
            autoComplete="off"
          />
          <div className="contact-names">
            {PLACE_NAMES.map((name) => (
              <TextField
                key={name}
                name={`${path}.${name}`}
                label={PLACES[name]}
                defaultValue={value[name]}
                maxLength={name === 'postalCode' ? 50 : 200}
                autoComplete="off"
              />
            ))}
            <LabelField name={path} value={value.label} />
          </div>
          <RemoveButton named={named} onRemove={() => onChange(rows.filter((row) => row.key !== key))} />
        </fieldset>
      )
    })}
    <AddButton
      kind="quiet"
      onClick={() => onChange([...rows, { key: Date.now(), value: NO_POSTAL_ADDRESS }])}
    >
      {t.addPostalAddress}
    </AddButton>
  </div>
)

/** Reads the postal addresses of the form. Empty ones are left out. */
export const readPostalAddresses = (values: FormData, { length }: readonly unknown[]): PostalAddress[] =>
  Array.from({ length }, (_, index) => {
    const read = (name: keyof PostalAddress): string => readText(values, `postalAddresses.${index}.${name}`)
    return {
      label: read('label'),
      street: read('street'),
      city: read('city'),
      region: read('region'),
      postalCode: read('postalCode'),
      country: read('country'),
    }
  }).filter(({ label: _, ...parts }) => Object.values(parts).some((part) => part !== ''))

const MONTHS = Array.from({ length: 12 }, (_, index) => index + 1)

/** The year may be unknown, so this is no date input. Errors of the API name `birthday`, the day. */
export const BirthdayFields = ({ birthday }: Pick<Contact, 'birthday'>) => {
  const locale = useFormatLocale()
  const [names] = useState(() => new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }))
  const [, year = '', month = '', day = ''] = /^(\d{4}|-)-(\d\d)-(\d\d)$/.exec(birthday) ?? []
  return (
    <fieldset className="contact-birthday">
      <legend>{t.birthday}</legend>
      <TextField
        name="birthday"
        label={t.day}
        type="number"
        min={1}
        max={31}
        defaultValue={day === '' ? '' : Number(day)}
      />
      <SelectField name="birthday.month" label={t.month} defaultValue={month}>
        <option value="">–</option>
        {MONTHS.map((number) => (
          <option key={number} value={String(number).padStart(2, '0')}>
            {names.format(Date.UTC(2000, number - 1, 1))}
          </option>
        ))}
      </SelectField>
      <TextField
        name="birthday.year"
        label={t.yearIfKnown}
        type="number"
        min={1000}
        max={9999}
        defaultValue={year === '-' ? '' : year}
      />
    </fieldset>
  )
}

/** The API rejects the zeros of an incomplete date. */
export const readBirthday = (values: FormData): string => {
  const [day, month, year] = ['birthday', 'birthday.month', 'birthday.year'].map((name) =>
    readText(values, name),
  ) as [string, string, string]
  return `${day}${month}${year}` === ''
    ? ''
    : `${year || '-'}-${month || '00'}-${(day || '0').padStart(2, '0')}`
}

export const splitCategories = (text: string): string[] =>
  text
    .split(',')
    .map((category) => category.trim())
    .filter((category) => category !== '')
