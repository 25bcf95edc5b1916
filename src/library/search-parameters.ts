// Options of a search → parameters of its sources. They are the same in the library, on the command line and in the API.
export const SEARCH_PARAMETERS = {
  searchTerm: 'search_term',
  location: 'location',
  results: 'results_wanted',
  remote: 'is_remote',
  jobType: 'job_type',
  hoursOld: 'hours_old',
  country: 'country',
  distance: 'distance',
  offset: 'offset',
  easyApply: 'easy_apply',
  companyIds: 'company_ids',
  description: 'fetch_description',
  descriptionFormat: 'description_format',
  annualSalary: 'enforce_annual_salary',
  includeRaw: 'include_raw',
} as const;
