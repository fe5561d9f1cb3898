import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ifMatch, type Shape, unwrapVersion, type Versioned } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { Card } from '../../../ui/card.tsx'
import { ChangedElsewhere } from '../../../ui/changed-elsewhere.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useVersionedForm } from '../use-versioned-form.ts'

type Details = Shape<'BillingDetails'>
type Change = Pick<Details, 'name' | 'email' | 'address' | 'vatId'>

const key = ['billing', 'details']

const LINES = [
  { name: 'line1', label: 'Address', autoComplete: 'address-line1' },
  { name: 'line2', label: 'Address, second line', autoComplete: 'address-line2' },
  { name: 'postalCode', label: 'Postal code', autoComplete: 'postal-code' },
  { name: 'city', label: 'Town', autoComplete: 'address-level2' },
  { name: 'state', label: 'State or region', autoComplete: 'address-level1' },
] as const

/** Reads the form. An empty address becomes null. */
const changeOf = (values: FormData): Change => {
  const typed = (name: string): string | null => String(values.get(name) ?? '').trim() || null
  const lines = Object.fromEntries(LINES.map(({ name }) => [name, typed(`address.${name}`)]))
  const country = typed('address.country')?.toUpperCase() ?? null
  const isEmpty = country === null && Object.values(lines).every((line) => line === null)
  return {
    name: typed('name'),
    email: typed('email'),
    vatId: typed('vatId'),
    address: isEmpty ? null : ({ ...lines, country: country ?? '' } as Details['address']),
  }
}

const DetailsForm = ({ current }: { current: Versioned<Details> }) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const editing = useVersionedForm({
    current,
    part: ({ name, email, address, vatId }: Details): Change => ({ name, email, address, vatId }),
    read: () => unwrapVersion(client.GET('/api/settings/billing/details')),
    send: async (body, etag) => {
      const saved = await unwrapVersion(
        client.PATCH('/api/settings/billing/details', { body, headers: ifMatch(etag) }),
      )
      queries.setQueryData(key, saved)
      notify('Your billing details are saved.')
      await queries.invalidateQueries({ queryKey: ['activity'] })
      return saved
    },
  })
  const { name, email, address, vatId } = editing.base
  return (
    <Form
      key={editing.generation}
      label="Billing details"
      onTouch={editing.touch}
      onSubmit={async (values) => void (await editing.save(changeOf(values)))}
    >
      {editing.conflict && (
        <ChangedElsewhere
          theirs="They were changed in another place."
          onTakeTheirs={editing.takeTheirs}
          onKeepMine={editing.keepMine}
        />
      )}
      <TextField
        name="name"
        label="Name or company"
        maxLength={200}
        defaultValue={name ?? ''}
        autoComplete="organization"
      />
      <TextField
        name="email"
        label="E-mail for invoices"
        type="email"
        maxLength={254}
        defaultValue={email ?? ''}
        autoComplete="email"
      />
      {LINES.map(({ name: line, label, autoComplete }) => (
        <TextField
          key={line}
          name={`address.${line}`}
          label={label}
          maxLength={line === 'postalCode' ? 20 : 200}
          autoComplete={autoComplete}
          defaultValue={address?.[line] ?? ''}
        />
      ))}
      <TextField
        name="address.country"
        label="Country"
        hint="Two letters, such as DE."
        maxLength={2}
        autoComplete="country"
        defaultValue={address?.country ?? ''}
      />
      <TextField
        name="vatId"
        label="VAT id"
        hint="With its country, such as DE123456789."
        maxLength={30}
        autoComplete="off"
        defaultValue={vatId ?? ''}
      />
      <div className="form-actions">
        <Submit>Save details</Submit>
      </div>
    </Form>
  )
}

export const DetailsCard = () => {
  const client = useClient()
  const query = useQuery({
    queryKey: key,
    queryFn: () => unwrapVersion(client.GET('/api/settings/billing/details')),
  })
  return (
    <Card id="billing-details" title="Billing details" about="Whom invoices are made out to.">
      <Loaded query={query} lines={4}>
        {(details) => <DetailsForm current={details} />}
      </Loaded>
    </Card>
  )
}
