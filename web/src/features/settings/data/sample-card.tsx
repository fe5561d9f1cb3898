import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { useNotify } from '../../../ui/toast.tsx'

export const SampleCard = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const [open, setOpen] = useState(false)
  const remove = async () => {
    await unwrap(client.DELETE('/api/settings/sample-data'))
    setOpen(false)
    notify('No sample data is left.')
    // A user who is signed in as the sample user gets a 401 here and is signed out.
    await queries.invalidateQueries()
  }
  return (
    <Card
      id="sample"
      title="Sample data"
      about="An instance that was started with --demo has a sample week in it. It can go; what you added yourself stays."
    >
      <Button kind="warning" onClick={() => setOpen(true)}>
        Remove sample data
      </Button>
      <FormDialog
        open={open}
        onClose={() => setOpen(false)}
        alert
        danger
        title="Remove the sample data?"
        about="This cannot be taken back. If you are signed in as the sample’s person, you are signed out by it."
        action="Remove"
        onSubmit={remove}
      />
    </Card>
  )
}
