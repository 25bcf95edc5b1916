// The two questions that are put to Glassdoor's GraphQL: only the fields that are read.

export const SEARCH_QUERY = `query JobSearchResultsQuery($excludeJobListingIds: [Long!], $filterParams: [FilterParams], $keyword: String, $locationId: Int,
$locationType: LocationTypeEnum, $numJobsToShow: Int!, $pageCursor: String, $pageNumber: Int, $parameterUrlInput: String) {
jobListings(contextHolder: { searchParams: { excludeJobListingIds: $excludeJobListingIds, filterParams: $filterParams, keyword: $keyword,
locationId: $locationId, locationType: $locationType, numPerPage: $numJobsToShow, pageCursor: $pageCursor, pageNumber: $pageNumber,
parameterUrlInput: $parameterUrlInput, searchType: SR } }) {
totalJobsCount paginationCursors { cursor pageNumber }
jobListings { jobview {
header { ageInDays easyApply employer { id name shortName } employerNameFromSearch expired goc jobTitleText locationName locationType
payCurrency payPeriod payPeriodAdjustedPay { p10 p50 p90 } rating salarySource seoJobLink isSponsoredJob }
job { jobTitleText listingId } overview { shortName squareLogoUrl } } } } }`;

export const DETAIL_QUERY = `query JobDetailQuery($jl: Long!, $queryString: String, $pageTypeEnum: PageTypeEnum) {
jobview: jobView(listingId: $jl, contextHolder: { queryString: $queryString, pageTypeEnum: $pageTypeEnum }) { job { description } } }`;
